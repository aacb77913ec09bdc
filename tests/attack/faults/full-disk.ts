import { randomFrom } from '#tests/access-oracle/generate/random.ts'
import { type Outage, surviveOutage } from './survive-outage.ts'
import { type TestEnvironment, openEnvironment, ownerAt } from '#tests/attack/environments.ts'
import { workersOf, createCollections } from '#tests/attack/workload/workers.ts'
import { openLedger } from '#tests/attack/workload/ledger.ts'
import { mountSmallDisk, type SmallDisk, smallDiskUnavailableReason } from './small-disk.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'

const ON = 'SQLite + disk'

/** Trials with a full disk and with a read-only disk. */
export const diskTrials: readonly Trial[] = [
  { name: 'full disk', environment: ON, unavailableReason: smallDiskUnavailableReason, run: (run) => onFullDisk(run) },
  {
    name: 'read-only disk',
    environment: ON,
    unavailableReason: smallDiskUnavailableReason,
    run: (run) => onFrozenDisk(run),
  },
]

const DISK_MB = 120

const LONGEST_MS = 70_000

const ROUNDS = { long: 10, short: 1 }

/** The quota reserves disk space for the database; in this trial, files may use all of it. */
const FILL_SIZES = { UPLOAD_DISK_FLOOR: '0' }

const onFullDisk = (run: TrialRun): Promise<Findings> =>
  onSmallDisk(run, {
    outage: (disk) => ({ name: 'the disk is full', begin: disk.fill, end: disk.makeRoom }),
    spoil: (disk) => disk.fill(),
    repair: (disk) => disk.makeRoom(),
    mustSay: /disk .*is full/,
  })

const onFrozenDisk = (run: TrialRun): Promise<Findings> =>
  onSmallDisk(run, {
    outage: (disk) => ({ name: 'the disk is read-only', begin: disk.freeze, end: disk.thaw }),
    spoil: (disk) => disk.closeToWriters(),
    repair: (disk) => disk.openToWriters(),
    mustSay: /the file system is read-only/,
  })

/** A disk fault that occurs both while a server is running and at startup. */
type Fault = {
  readonly outage: (disk: SmallDisk) => Pick<Outage, 'name' | 'begin' | 'end'>
  readonly spoil: (disk: SmallDisk) => Promise<void>
  readonly repair: (disk: SmallDisk) => Promise<void>
  /** The expected startup error. */
  readonly mustSay: RegExp
}

async function onSmallDisk(run: TrialRun, fault: Fault): Promise<Findings> {
  const disk = await mountSmallDisk(DISK_MB)
  const environment = await openEnvironment(ON, { dataFolder: disk.folder })
  try {
    return await work({ environment, disk, fault }, run)
  } finally {
    await environment.close()
    await disk.thaw().then(undefined, () => undefined)
    await disk.remove()
  }
}

type Place = { readonly environment: TestEnvironment; readonly disk: SmallDisk; readonly fault: Fault }

async function work({ environment, disk, fault }: Place, { isLong, seed, say }: TrialRun): Promise<Findings> {
  const ledger = openLedger()
  const users = workersOf({ ledger, draw: randomFrom(seed) }, { patient: !isLong, mortal: true })
  const server = await environment.start({ env: FILL_SIZES })
  await createCollections(await ownerAt(server))
  const outage: Outage = { ...fault.outage(disk), isReported: false, lastsMs: isLong ? 6000 : 2500 }
  const outages = Array.from({ length: isLong ? ROUNDS.long : ROUNDS.short }, () => outage)
  const stats = await surviveOutage({ server, users, ledger, longestMs: LONGEST_MS }, outages)
  const broken = stats.unavailableCount === 0 ? ['no response reported the full disk'] : []
  await server.stop()
  broken.push(...(await startOnIt({ environment, disk, fault })))

  const again = await environment.start({ env: FILL_SIZES })
  await ledger.compareEverything(await ownerAt(again))
  say(`${stats.unavailableCount} responses with 503; longest response ${Math.round(stats.longestMs)} ms`)
  const { serverErrors } = stats
  return {
    faults: outages.length + 1,
    ...ledger.counts,
    serverErrors,
    broken: [...broken, ...stats.broken, ...ledger.broken],
  }
}

/** A server started on a full or read-only disk exits immediately with a one-sentence error. */
async function startOnIt({ environment, disk, fault }: Place): Promise<readonly string[]> {
  await fault.spoil(disk)
  const said = await environment.start({ env: FILL_SIZES }).then(
    () => 'started',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  await fault.repair(disk)
  return fault.mustSay.test(said) ? [] : [`a server started on it with: ${said.slice(0, 500)}`]
}
