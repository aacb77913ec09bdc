import { fileURLToPath } from 'node:url'
import type { StartedServer } from '#tests/support/server/started-server.ts'

/** One step of the movable clock: a little more than a proof of who one is lasts. */
export const TIME_STEP_MS = 16 * 60 * 1000

const CLOCK = new URL('movable-clock.ts', import.meta.url)

/** What a server is told whose clock can be moved. */
export const WITH_MOVABLE_CLOCK = { NODE_OPTIONS: `--import ${fileURLToPath(CLOCK)}` } as const

/** Moves the clock of a server forward by steps of sixteen minutes, and knows how far it is ahead. */
export function clockOf({ pid }: Pick<StartedServer, 'pid'>) {
  let steps = 0
  return {
    goOn(): void {
      steps += 1
      process.kill(pid, 'SIGUSR2')
    },
    seconds: (): number => Math.floor((Date.now() + steps * TIME_STEP_MS) / 1000),
  }
}
