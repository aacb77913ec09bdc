import { setTimeout as pause } from 'node:timers/promises'
import { randomFrom } from '#tests/access-oracle/generate/random.ts'
import type { StartedServer } from '#tests/support/server/started-server.ts'
import {
  ENVIRONMENTS,
  type TestEnvironment,
  type EnvironmentName,
  openEnvironment,
  ownerAt,
} from '#tests/attack/environments.ts'
import type { Worker } from '#tests/attack/workload/worker.ts'
import { workersOf, createCollections } from '#tests/attack/workload/workers.ts'
import { openLedger } from '#tests/attack/workload/ledger.ts'
import { unexplainedRecords } from '#tests/attack/workload/office-workers.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'

const KILLS = { long: 60, short: 3 }

/** Kills happen at a random time within this duration after the work started. */
const LATEST_KILL_MS = 2000

/** Repeatedly kills the server under a mixed load, and compares acknowledged operations with stored data. */
export const killTrials: readonly Trial[] = ENVIRONMENTS.map((environment) => ({
  name: 'kills under load',
  environment,
  run: (run) => killUnderLoad(environment, run),
}))

async function killUnderLoad(name: EnvironmentName, { isLong, seed, say }: TrialRun): Promise<Findings> {
  const environment = await openEnvironment(name)
  const ledger = openLedger()
  const draw = randomFrom(seed)
  const users = workersOf({ ledger, draw })
  const kills = isLong ? KILLS.long : KILLS.short
  try {
    let server = await environment.start()
    await createCollections(await ownerAt(server))
    for (let killed = 0; killed < kills; killed += 1) {
      await workUntilKilled(server, users, draw.below(LATEST_KILL_MS))
      server = await environment.start()
      await ledger.compareNew(await ownerAt(server))
      if ((killed + 1) % 10 === 0)
        say(`${killed + 1} kills, ${ledger.counts.compared} compared, ${ledger.counts.lost} lost`)
    }
    const owner = await ownerAt(server)
    await ledger.compareEverything(owner)
    const unknown = await unexplainedRecords(owner, ledger.knows)
    await server.stop()
    const ill = await examine(environment)
    return { faults: kills, ...ledger.counts, broken: [...ledger.broken, ...unknown, ...ill] }
  } finally {
    await environment.close()
  }
}

/** Runs all workers until the server is killed at a random time. */
async function workUntilKilled(server: StartedServer, users: readonly Worker[], afterMs: number): Promise<void> {
  const client = await ownerAt(server)
  let isOver = false
  const work = async (worker: Worker): Promise<void> => {
    while (!isOver) await worker(client)
  }
  // Errors of requests that were pending when the server was killed are ignored.
  const working = users.map((worker) =>
    work(worker).then(undefined, (error: unknown) => {
      if (!isOver) throw error
    }),
  )
  const death = async (): Promise<void> => {
    await pause(afterMs)
    isOver = true
    await server.kill()
  }
  await Promise.all([...working, death()])
}

/** Findings of `dossier doctor`, if any. */
async function examine(environment: TestEnvironment): Promise<readonly string[]> {
  const server = await environment.start()
  try {
    return await server.command('doctor').then(
      () => [],
      ({ stdout }: { readonly stdout: string }) => [`doctor reports: ${stdout}`],
    )
  } finally {
    await server.stop()
  }
}
