// Sounds by severity: generated, off until a person arms them, and the armed state is seen.
"use strict";
(() => {
  // [frequency Hz, from s, for s] of each tone
  const TONES = {
    notice: [[660, 0, 0.14]],
    alert: [[880, 0, 0.16], [880, 0.24, 0.16]],
    escalated: [[880, 0, 0.14], [1108, 0.2, 0.14], [880, 0.4, 0.14], [1108, 0.6, 0.14]],
    stop: [[740, 0, 0.3], [554, 0.36, 0.3], [415, 0.72, 0.45]],
  };
  const ORDER = ["notice", "alert", "escalated", "stop"];
  const LOUD = 0.25;
  const button = document.querySelector("#sound");
  if (!button) return;
  const sound = { context: null, known: null, played: [] };

  function show() {
    const on = sound.context?.state === "running";
    button.ariaPressed = String(on);
    document.body.classList.toggle("armed", on);
  }

  async function arm() {
    if (!sound.context) {
      sound.context = new AudioContext();
      sound.context.onstatechange = show; // it may begin later than a person waits
    }
    await Promise.race([sound.context.resume(), new Promise((done) => { setTimeout(done, 500); })]);
    sessionStorage.setItem("sound", "on");
    show();
  }

  async function disarm() {
    await sound.context?.close();
    sound.context = null;
    sessionStorage.removeItem("sound");
    show();
  }

  function play(severity) {
    sound.played = [...sound.played.slice(-9), severity];
    button.dataset.played = sound.played.join(",");
    const { context } = sound;
    if (context?.state !== "running") return;
    for (const [frequency, from, length] of TONES[severity]) {
      const tone = new OscillatorNode(context, { frequency, type: "triangle" });
      const gain = new GainNode(context, { gain: 0 });
      const at = context.currentTime + from;
      gain.gain.setTargetAtTime(LOUD, at, 0.01);
      gain.gain.setTargetAtTime(0, at + length, 0.03);
      tone.connect(gain).connect(context.destination);
      tone.start(at);
      tone.stop(at + length + 0.3);
    }
  }

  function listen() {
    const now = new Map([...document.querySelectorAll("[data-sound]")].map((it) => [`${it.dataset.sound} ${it.dataset.soundId}`, it.dataset.sound]));
    if (document.body.classList.contains("stale")) now.set("stop", "stop");
    const fresh = [...now].filter(([name]) => sound.known && !sound.known.has(name)).map(([, severity]) => severity);
    sound.known = new Set(now.keys());
    if (fresh.length) play(fresh.reduce((one, two) => (ORDER.indexOf(one) < ORDER.indexOf(two) ? two : one)));
  }

  document.addEventListener("shown", listen);
  // A click on the button is the gesture that browsers ask for; after the page has loaded itself anew any key is.
  document.addEventListener("armed", () => { if (button.ariaPressed === "true") disarm(); else arm(); });
  if (sessionStorage.getItem("sound")) {
    arm();
    document.addEventListener("pointerdown", arm, { once: true });
    document.addEventListener("keydown", arm, { once: true });
  }
  show();
})();
