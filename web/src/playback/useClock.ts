import { useEffect, useRef, useState } from "react";
import { type Course, candleOf, due, lastOf, type Speed, stepped } from "@/playback/clock";

/** A clock that runs while it plays, up to `reaches`; it stops at the end of the run. */
export function useClock(course: Course) {
  const [clock, setClock] = useState(course.start);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(10);
  const reaches = useRef(course.start);
  const end = lastOf(course);
  const atEnd = clock >= end;

  useEffect(() => {
    if (!isPlaying) return;
    let [before, rest] = [performance.now(), 0];
    let frame = requestAnimationFrame(function onFrame(now) {
      const next = due(speed, now - before, rest);
      before = now;
      rest = next.rest;
      if (next.candles > 0)
        setClock((from) => Math.min(stepped(course, from, next.candles), Math.max(from, reaches.current)));
      frame = requestAnimationFrame(onFrame);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed, course]);

  useEffect(() => {
    if (atEnd) setPlaying(false);
  }, [atEnd]);

  return {
    clock,
    speed,
    setSpeed,
    isPlaying,
    atEnd,
    /** At the end it starts again. */
    toggle: () => {
      if (!isPlaying && atEnd) setClock(course.start);
      setPlaying(!isPlaying);
    },
    step: (candles: number) => {
      setPlaying(false);
      setClock(stepped(course, clock, candles));
    },
    goTo: (moment: number) => setClock(candleOf(course, moment)),
    /** How far it may go without waiting for candles. */
    allow: (moment: number) => {
      reaches.current = moment;
    },
  };
}
