import { EVENT_LOOP_LAG_SAMPLES } from '#domain/shared/admission.ts'

const SAMPLE_INTERVAL_MS = 500

/** Recent event-loop delays in ms, latest last. */
export type EventLoopLag = { readonly lateMs: () => readonly number[]; readonly stop: () => void }

export function monitorEventLoopLag(nowMs = () => performance.now()): EventLoopLag {
  let looks: readonly number[] = []
  let expectedAt = nowMs() + SAMPLE_INTERVAL_MS
  const look = (): void => {
    const now = nowMs()
    looks = [...looks, Math.max(0, now - expectedAt)].slice(-EVENT_LOOP_LAG_SAMPLES)
    expectedAt = now + SAMPLE_INTERVAL_MS
  }
  const timer = setInterval(look, SAMPLE_INTERVAL_MS).unref()
  return { lateMs: () => looks, stop: () => clearInterval(timer) }
}
