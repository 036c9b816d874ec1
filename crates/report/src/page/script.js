
"use strict";
// a click on an entry of the legend hides its curve or band; the pointer shows the values below it
for (const hint of document.querySelectorAll(".hint")) hint.hidden = false;
for (const svg of document.querySelectorAll("figure svg[data-x]")) {
  const curves = [...svg.querySelectorAll("[data-curve]")];
  const keys = [...svg.querySelectorAll("[data-key]")];
  const keyOf = curve => keys.find(key => key.dataset.key === curve.dataset.curve);
  if (keys.length) svg.setAttribute("role", "group");
  keys.forEach(key => {
    const own = [...svg.querySelectorAll("[data-curve], [data-band]")]
      .filter(part => [part.dataset.curve, part.dataset.band, part.dataset.of].includes(key.dataset.key));
    const toggle = () => {
      const off = key.classList.toggle("off");
      for (const part of own) part.style.display = off ? "none" : "";
      key.setAttribute("aria-pressed", String(!off));
    };
    for (const [name, value] of [["role", "button"], ["tabindex", "0"], ["aria-pressed", "true"]]) key.setAttribute(name, value);
    key.addEventListener("click", toggle);
    key.addEventListener("keydown", e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); toggle(); } });
  });

  const [left, width, x0, x1] = svg.dataset.x.split(" ").map(Number);
  const [bottom, height, y0, y1] = svg.dataset.y.split(" ").map(Number);
  const text = value => String(Number(value.toPrecision(4)));
  const xOf = px => x0 + (px - left) / width * (x1 - x0);
  const yOf = py => { const y = y0 + (bottom - py) / height * (y1 - y0); return svg.dataset.log ? 10 ** y : y; };
  // pixels of a curve: points, each with whether a line leads to it
  const pixels = curves.map(curve => {
    const path = curve.querySelector("path");
    const steps = path ? path.getAttribute("d").match(/[ML][^MLm]+/g) : [];
    return steps.map(s => [s[0] === "L", ...s.slice(1).split(" ").map(parseFloat)]);
  });
  // height of a curve at px, of several the one nearest to py
  const heightAt = (points, px, py) => {
    let best = null;
    for (let i = 1; i < points.length; i++) {
      const [joined, bx, by] = points[i], [, ax, ay] = points[i - 1];
      if (!joined || (ax - px) * (bx - px) > 0) continue;
      const y = ax === bx ? by : ay + (px - ax) / (bx - ax) * (by - ay);
      if (best === null || Math.abs(y - py) < Math.abs(best - py)) best = y;
    }
    return best;
  };
  const guide = svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  guide.setAttribute("class", "guide");
  const output = svg.closest("figure").querySelector("output");
  svg.addEventListener("pointermove", e => {
    const box = svg.getBoundingClientRect(), zoom = svg.viewBox.baseVal.width / box.width;
    const px = (e.clientX - box.left) * zoom, py = (e.clientY - box.top) * zoom;
    if (px < left || px > left + width || py > bottom) return;
    const names = curves.map(curve => keyOf(curve)?.querySelector("text").textContent);
    const parts = ["at " + text(xOf(px))];
    pixels.forEach((points, i) => {
      const y = curves[i].style.display === "none" ? null : heightAt(points, px, py);
      if (y !== null) parts.push((names[i] ? names[i] + " " : "") + text(yOf(y)));
    });
    guide.setAttribute("d", `M${px} ${bottom}v${-height}`);
    output.textContent = parts.join("; ");
  });
  svg.addEventListener("pointerleave", () => { guide.removeAttribute("d"); output.textContent = ""; });
}
// a mechanism in motion: a slider over its states, and a button that plays them in 2 s to 8 s
for (const player of document.querySelectorAll(".player")) {
  const [button, slider, output] = ["button", "input", "output"].map(tag => player.querySelector(tag));
  const times = slider.dataset.times.split(" "), last = times.length - 1;
  const parts = [...player.querySelectorAll("[data-d]")].map(part => [part, part.dataset.d.split("|")]);
  let started = null;
  const show = i => {
    slider.value = i;
    for (const [part, states] of parts) part.setAttribute("d", states[i]);
    output.textContent = `t = ${times[i]} s`;
    slider.setAttribute("aria-valuetext", output.textContent);
  };
  const stop = () => { started = null; button.textContent = "Play"; };
  const step = now => {
    if (started === null) return;
    const length = 1000 * Math.min(8, Math.max(2, times[last] - times[0]));
    const i = Math.round(last * Math.max(0, now - started) / length);
    show(Math.min(i, last));
    if (i < last) requestAnimationFrame(step); else stop();
  };
  button.addEventListener("click", () => {
    if (started !== null) return stop();
    const from = Number(slider.value) < last ? Number(slider.value) : 0;
    const length = 1000 * Math.min(8, Math.max(2, times[last] - times[0]));
    started = performance.now() - from / last * length;
    button.textContent = "Pause";
    requestAnimationFrame(step);
  });
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  // readers who asked for less motion move the slider themselves
  button.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
  show(0);
  player.hidden = false;
}
document.documentElement.dataset.ready = "true";
