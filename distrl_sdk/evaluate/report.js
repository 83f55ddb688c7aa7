"use strict";
// One control moves both phones of a pair; the shorter episode waits at its end.
const STEP = 1000, LAST = 2500; // milliseconds a frame, and at the end before it starts again
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

for (const pair of document.querySelectorAll(".pair")) {
  const phones = [...pair.querySelectorAll(".phone")].map((phone) => [...phone.querySelectorAll(".frame")]);
  const control = pair.querySelector(".control");
  const button = control.querySelector("button");
  const slider = control.querySelector("input");
  const last = Number(slider.max);
  let timer = null;

  const show = (step) => {
    slider.value = step;
    for (const frames of phones) {
      frames.forEach((frame, at) => frame.classList.toggle("shown", at === Math.min(step, frames.length - 1)));
    }
  };
  const pause = () => {
    clearTimeout(timer);
    timer = null;
    button.textContent = "Play";
  };
  const wait = () => {
    const step = Number(slider.value);
    timer = setTimeout(() => {
      show(step < last ? step + 1 : 0);
      wait();
    }, step < last ? STEP : LAST);
  };
  const play = () => {
    if (Number(slider.value) >= last) show(0);
    button.textContent = "Pause";
    wait();
  };

  button.addEventListener("click", () => (timer === null ? play() : pause()));
  slider.addEventListener("input", () => {
    pause();
    show(Number(slider.value));
  });
  control.hidden = last === 0;
  if (!still && last > 0) play();
}
