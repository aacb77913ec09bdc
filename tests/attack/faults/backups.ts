import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, randomFrom } from '#tests/access-oracle/generate/random.ts'
import type { StartedCommand } from '#tests/support/server/started-command.ts'
import type { StartedServer } from '#tests/support/server/started-server.ts'
import { UnavailableError } from '#tests/attack/workload/client.ts'
import {
  ENVIRONMENTS,
  type TestEnvironment,
  type EnvironmentName,
  openEnvironment,
  ownerAt,
} from '#tests/attack/environments.ts'
import type { Worker } from '#tests/attack/workload/worker.ts'
import { workersOf, createCollections } from '#tests/attack/workload/workers.ts'
import { type Ledger, openLedger, type Thing } from '#tests/attack/workload/ledger.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'

/** Number of backups to restore and compare, and number of backups and restores to kill beforehand. */
const ROUNDS = { long: 4, short: 1 }
const KILLS = { long: 6, short: 1 }

const WORK_MS = { long: 8000, short: 1000 }

/** Takes backups under a mixed load, restores them elsewhere, and compares them with acknowledged operations. */
export const backupTrials: readonly Trial[] = ENVIRONMENTS.map((environment) => ({
  name: 'backup and restore',
  environment,
  run: (run) => backUpUnderLoad(environment, run),
}))

/** A restore ends all sessions; everything else is restored. */
const comes = ({ name }: Thing): boolean => !name.startsWith('session ')

type BackupRun = {
  readonly name: EnvironmentName
  readonly environment: TestEnvironment
  /** The backup folder. */
  readonly folder: string
  readonly ledger: Ledger
  readonly draw: Random
  readonly kills: number
  readonly broken: string[]
  readonly tookMs: number[]
}

async function backUpUnderLoad(name: EnvironmentName, { isLong, seed, say }: TrialRun): Promise<Findings> {
  const environment = await openEnvironment(name)
  const folder = await mkdtemp(join(tmpdir(), 'dossier-backups-'))
  const [ledger, draw] = [openLedger(), randomFrom(seed)]
  const kills = isLong ? KILLS.long : KILLS.short
  const rounds = isLong ? ROUNDS.long : ROUNDS.short
  const backupRun: BackupRun = { name, environment, folder, ledger, draw, kills, broken: [], tookMs: [] }
  try {
    const server = await environment.start()
    await createCollections(await ownerAt(server))
    const users = workersOf({ ledger, draw })
    for (let round = 1; round <= rounds; round += 1) {
      const taken = await duringWork(server, users, async () => {
        await pause(isLong ? WORK_MS.long : WORK_MS.short)
        await killBackups(backupRun)
        return takeOne(backupRun)
      })
      if (taken !== undefined) await restoreElsewhere(backupRun, taken)
      say(`${round} backups, ${ledger.counts.compared} compared, ${ledger.counts.lost} lost`)
    }
    const longest = Math.round(Math.max(...backupRun.tookMs) / 100) / 10
    const load = `${rounds} backups with ${users.length} workers, ${longest} s at most`
    return { faults: 2 * kills * rounds, ...ledger.counts, load, broken: [...backupRun.broken, ...ledger.broken] }
  } finally {
    await environment.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs all workers until a task ends; each finishes its current step. */
async function duringWork<Answer>(
  server: StartedServer,
  users: readonly Worker[],
  work: () => Promise<Answer>,
): Promise<Answer> {
  const client = await ownerAt(server)
  let isOver = false
  const working = users.map(async (worker) => {
    while (!isOver) await worker(client).then(undefined, comeAgain)
  })
  const done = work().finally(() => {
    isOver = true
  })
  await Promise.all([...working, done])
  return done
}

/** A definition change can time out while waiting for a backup, and then fails with an error. */
async function comeAgain(error: unknown): Promise<void> {
  if (!(error instanceof UnavailableError)) throw error
  await pause(100)
}

/** A backup, and the states it may contain. */
type Taken = { readonly backup: string; readonly picture: ReturnType<Ledger['takePicture']> }

async function takeOne({ environment, folder, ledger, broken, tookMs }: BackupRun): Promise<Taken | undefined> {
  const before = new Set(await readdir(folder))
  const picture = ledger.takePicture()
  const startedAt = performance.now()
  const { exitCode, printed } = await (await environment.command('backup', folder)).over
  tookMs.push(performance.now() - startedAt)
  picture.end()
  const name = (await readdir(folder)).find((each) => !before.has(each))
  if (exitCode === 0 && name !== undefined) return { backup: join(folder, name), picture }
  broken.push(`A backup of a running server ended with ${exitCode}: ${printed}`)
  return undefined
}

/** Kills backups at random times; every folder named like a complete backup must be complete. */
async function killBackups({ environment, folder, draw, kills, broken, tookMs }: BackupRun): Promise<void> {
  for (let killed = 0; killed < kills; killed += 1) {
    await killSomewhere(await environment.command('backup', folder), draw.below(Math.max(2000, ...tookMs)))
  }
  for (const name of await readdir(folder)) {
    if (name.endsWith('.unfinished')) await rm(join(folder, name), { recursive: true })
    else {
      const { exitCode, printed } = await (await environment.command('backup', '--verify', join(folder, name))).over
      if (exitCode !== 0) broken.push(`A killed backup looks complete but is not: ${printed}`)
      await rm(join(folder, name), { recursive: true })
    }
  }
}

async function killSomewhere({ over, kill }: StartedCommand, afterMs: number): Promise<void> {
  await Promise.race([over, pause(afterMs)])
  kill()
  await over
}

/** Restores into an empty folder, after a first restore was killed, and checks everything. */
async function restoreElsewhere({ name, draw, kills, broken }: BackupRun, { backup, picture }: Taken): Promise<void> {
  const elsewhere = await openEnvironment(name)
  try {
    for (let killed = 0; killed < kills; killed += 1) {
      await killSomewhere(await elsewhere.command('restore', backup), draw.below(3000))
    }
    const { exitCode, printed } = await (await elsewhere.command('restore', backup)).over
    // The restore may have finished before the kill.
    if (exitCode !== 0 && !/isn't empty|a database already/.test(printed)) {
      broken.push(`A restore ended with ${exitCode}: ${printed}`)
      return
    }
    const server = await elsewhere.start()
    await picture.compare(await ownerAt(server), comes)
    await server.stop()
    const examined = await (await elsewhere.command('doctor')).over
    if (examined.exitCode !== 0) broken.push(`After a restore, doctor reports ${examined.printed}`)
  } finally {
    await elsewhere.close()
  }
}
