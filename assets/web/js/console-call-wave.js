// The waveform of a call: the customer's half above the middle, the platform's below. Time runs left to right.

/** A waveform on a canvas: heights are percents, left and right of the same length, over a length in seconds. */
export function waveform(canvas) {
  let shape = { left: [], right: [], seconds: 0 };
  const draw = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const paint = canvas.getContext("2d");
    paint.scale(scale, scale);
    const style = getComputedStyle(canvas);
    const middle = height / 2;
    paint.fillStyle = style.getPropertyValue("--line");
    paint.fillRect(0, middle - 0.5, width, 1);
    bars(paint, shape.left, width, (h) => [middle - 1 - h * (middle - 6), h * (middle - 6)], style.getPropertyValue("--accent"));
    bars(paint, shape.right, width, (h) => [middle + 1, h * (middle - 6)], style.getPropertyValue("--ink-soft"));
  };
  new ResizeObserver(draw).observe(canvas);
  document.addEventListener("themechange", draw);
  return { show(next) { shape = next; draw(); } };
}

// Heights are drawn by their square root, so that quiet speech is visible.
function bars(paint, heights, width, box, colour) {
  paint.fillStyle = colour;
  const columns = Math.floor(width / 3);
  for (let i = 0; i < columns; i++) {
    const from = Math.floor((i * heights.length) / columns);
    const to = Math.max(from + 1, Math.floor(((i + 1) * heights.length) / columns));
    const loudest = Math.max(0, ...heights.slice(from, to));
    const [top, size] = box(Math.sqrt(loudest / 100));
    paint.fillRect(i * 3, top, 2, Math.max(size, 0.5));
  }
}
