/** Plays a drawing: what is chosen goes up by one at a time. */
import { onBeforeUnmount, type Ref, ref } from "vue";

const STEP_MS = 900;

export interface Player {
  readonly isPlaying: Ref<boolean>;
  /** Stops, or goes on from what is chosen; from the first one if that is the last. */
  toggle(): void;
}

/** @param last the last number; the first one is `first` */
export function usePlayer(chosen: Ref<number>, first: number, last: () => number): Player {
  const isPlaying = ref(false);
  let timer: ReturnType<typeof setInterval> | undefined;
  function stop(): void {
    clearInterval(timer);
    isPlaying.value = false;
  }
  function step(): void {
    if (chosen.value < last()) chosen.value += 1;
    else stop();
  }
  function play(): void {
    if (chosen.value >= last()) chosen.value = first;
    isPlaying.value = true;
    timer = setInterval(step, STEP_MS);
  }
  const toggle = (): void => (isPlaying.value ? stop() : play());
  onBeforeUnmount(stop);
  return { isPlaying, toggle };
}
