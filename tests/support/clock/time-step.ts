import { fileURLToPath } from 'node:url'
import type { StartedServer } from '#tests/support/server/started-server.ts'

/** Duration in ms of one step of the movable clock, slightly longer than a re-authentication is valid. */
export const TIME_STEP_MS = 16 * 60 * 1000

const CLOCK = new URL('movable-clock.ts', import.meta.url)

/** Settings for a server whose clock can be advanced. */
export const WITH_MOVABLE_CLOCK = { NODE_OPTIONS: `--import ${fileURLToPath(CLOCK)}` } as const

/** Advances a server's clock in steps of sixteen minutes. */
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
