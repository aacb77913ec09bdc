import { LATE_LOOKS } from '#domain/turns/turn-limits.ts'

const LOOK_EVERY_MS = 500

/** By how much the event loop was late at the last looks, the newest last, in ms. */
export type LateLooks = { readonly lateMs: () => readonly number[]; readonly stop: () => void }

/** Looks at the event loop from now on. */
export function openLateLooks(nowMs = () => performance.now()): LateLooks {
  let looks: readonly number[] = []
  let expectedAt = nowMs() + LOOK_EVERY_MS
  const look = (): void => {
    const now = nowMs()
    looks = [...looks, Math.max(0, now - expectedAt)].slice(-LATE_LOOKS)
    expectedAt = now + LOOK_EVERY_MS
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return { lateMs: () => looks, stop: () => clearInterval(timer) }
}
