import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomFrom } from '#tests/access-oracle/generate/random.ts'
import type { StartedServer } from '#tests/support/server/started-server.ts'
import { WITH_MOVABLE_CLOCK } from '#tests/support/clock/time-step.ts'
import { clientAt } from '#tests/attack/workload/client.ts'
import { surviveOutage } from './survive-outage.ts'
import {
  ENVIRONMENTS,
  type TestEnvironment,
  type EnvironmentName,
  OWNER,
  openEnvironment,
  ownerAt,
} from '#tests/attack/environments.ts'
import { workersOf, createCollections } from '#tests/attack/workload/workers.ts'
import { openLedger } from '#tests/attack/workload/ledger.ts'
import { tell } from '#tests/attack/workload/watched-client.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** Clock offset from the correct time after each jump, in ms. */
const JUMPS = {
  short: [3 * HOUR_MS, -2 * HOUR_MS],
  long: [
    [3 * HOUR_MS, 0, 5 * DAY_MS, 5 * DAY_MS - 4 * HOUR_MS, -HOUR_MS, 20_000, 0],
    [400 * DAY_MS, 0, -12 * HOUR_MS, 2 * DAY_MS, HOUR_MS, -2 * DAY_MS, 0],
  ].flat(),
}

const LONGEST_MS = 30_000

/**
 * S3 rejects requests that are signed with the wrong time; the client then corrects its clock from the response and
 * retries.
 */
const STORAGE_UNAVAILABLE = /"storage-away"/

/** A clock jumps forward and back under load. */
export const clockTrials: readonly Trial[] = ENVIRONMENTS.map((environment) => ({
  name: 'clock jumps',
  environment,
  run: (run) => jumpAbout(environment, run),
}))

async function jumpAbout(name: EnvironmentName, { isLong, seed, say }: TrialRun): Promise<Findings> {
  const environment = await openEnvironment(name)
  const ledger = openLedger()
  // Session expiry depends on the clock and has its own tests.
  const users = workersOf({ ledger, draw: randomFrom(seed) }, { timed: true })
  const jumps = isLong ? JUMPS.long : JUMPS.short
  try {
    const clock = await clockIn(environment)
    const server = await environment.start({ env: clock.env })
    await createCollections(await ownerAt(server))
    const outages = jumps.map((aheadMs) => ({
      name: `the clock jumps to ${Math.round(aheadMs / HOUR_MS)} hours ahead`,
      begin: () => clock.jump(server, aheadMs),
      end: () => undefined,
      isReported: false,
      lastsMs: isLong ? 4000 : 1500,
    }))
    const stats = await surviveOutage({ server, users, ledger, longestMs: LONGEST_MS }, outages)
    const unavailable = stats.unavailableError.filter((one) => !STORAGE_UNAVAILABLE.test(one))
    if (unavailable.length > 0)
      tell(stats, `${unavailable.length} responses with 503, only because of the clock: ${unavailable[0]}`)
    await ledger.compareEverything(await ownerAt(server))
    const shut = await lockOut(server, clock)
    say(`longest response ${Math.round(stats.longestMs)} ms`)
    const broken = [...ledger.broken, ...stats.broken, ...shut]
    return { faults: jumps.length + 1, ...ledger.counts, serverErrors: stats.serverErrors, broken }
  } finally {
    await environment.close()
  }
}

type JumpingClock = Awaited<ReturnType<typeof clockIn>>

async function clockIn({ dataFolder }: TestEnvironment) {
  const file = join(dataFolder, 'clock')
  await writeFile(file, '0')
  return {
    env: { ...WITH_MOVABLE_CLOCK, CLOCK_FILE: file },
    jump: async ({ pid }: StartedServer, aheadMs: number): Promise<void> => {
      await writeFile(file, String(aheadMs))
      process.kill(pid, 'SIGUSR2')
    },
  }
}

/** Setting the clock back after failed sign-ins must not extend the delay. */
async function lockOut(server: StartedServer, clock: JumpingClock): Promise<readonly string[]> {
  const { ask } = clientAt(server.url)
  const enter = (password: string) => ask('POST', '/api/auth/login', { email: OWNER.email, password, client: 'api' })
  await clock.jump(server, 2 * DAY_MS)
  for (let tried = 0; tried < 12; tried += 1) await enter('wrong, but long enough')
  await clock.jump(server, DAY_MS)
  // The signal is handled asynchronously.
  await pause(200)
  const { status, retryAfter } = await enter(OWNER.password)
  return status === 200 ? [] : [`after the clock was set back a sign-in has to wait ${retryAfter} s`]
}
