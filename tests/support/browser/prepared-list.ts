import { createHash } from 'node:crypto'
import { constants, existsSync, globSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DATABASE_FILE } from '#server/platform/database/open-database.ts'
import { ADA, asProgram, WITH_ADA } from './session-page.ts'
import { startServer } from '#tests/support/server/started-server.ts'

const STATES = ['new', 'packed', 'sent', 'lost']

const FIELDS = [
  { label: 'Title', kind: 'text', required: true },
  { label: 'State', kind: 'select', options: { choices: STATES.map((name) => ({ name })) } },
  { label: 'Weight', kind: 'number' },
  { label: 'Due', kind: 'date' },
  { label: 'Paid', kind: 'checkbox' },
]

/** A prime above one million, so that all weights differ. */
const HEAVIEST = 1_000_003

function lineOf(place: number): string {
  const day = new Date(Date.UTC(2020, 0, 1 + ((place * 31) % 3000))).toISOString().slice(0, 10)
  return `Parcel ${place},${STATES[place % STATES.length]},${(place * 7919) % HEAVIEST},${day},${place % 3 === 0}\n`
}

const LINES_A_PIECE = 2000

function csvOf(records: number): Blob {
  const pieces = ['title,state,weight,due,paid\n']
  for (let first = 1; first <= records; first += LINES_A_PIECE) {
    const count = Math.min(LINES_A_PIECE, records - first + 1)
    pieces.push(Array.from({ length: count }, (_, at) => lineOf(first + at)).join(''))
  }
  return new Blob(pieces, { type: 'text/csv' })
}

const IMPORTED_WITHIN_MS = 240_000
const LOOK_EVERY_MS = 100

/** Imports the records and waits until the import finishes. */
async function importRecords(url: string, records: number): Promise<void> {
  const program = await asProgram(url, ADA)
  await program.ask('POST', '/api/collections', { label: 'Parcels', fields: FIELDS })
  const path = '/api/collections/parcels/imports'
  const { id } = await program.ask('POST', `${path}?encoding=utf-8&separator=,`, csvOf(records))
  const until = Date.now() + IMPORTED_WITHIN_MS
  for (;;) {
    const { state, failure } = await program.ask('GET', `${path}/${String(id)}`)
    if (state === 'done') return
    if (state !== 'running' || Date.now() > until) throw new Error(`The import is ${String(state)}: ${String(failure)}`)
    await pause(LOOK_EVERY_MS)
  }
}

/** Waits until the search index is complete, so that no background work runs during tests. */
async function searchIndexed(folder: string): Promise<void> {
  const db = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true })
  const lacking = db.prepare('select 1 from search_parts where gap_from is not null and retired_at is null limit 1')
  while (lacking.get() !== undefined) await pause(LOOK_EVERY_MS)
  db.close()
}

/** A key for the folder; it changes with the number of records, this file and the migrations. */
function keyOf(records: number): string {
  const migrations = fileURLToPath(new URL('../../../server/platform/database/migrations/', import.meta.url))
  const files = [fileURLToPath(import.meta.url), ...globSync(`${migrations}**/*.ts`).sort()]
  const hash = createHash('sha256').update(String(records))
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

/** The data folder with the list, created on first use. If the folder exists, it is complete. */
async function madeFolder(records: number): Promise<string> {
  const folder = join(tmpdir(), `dossier-list-of-${records}-${keyOf(records)}`)
  if (existsSync(folder)) return folder
  const unfinished = await mkdtemp(`${folder}.`)
  const server = await startServer({ ...WITH_ADA, dataFolder: unfinished })
  await importRecords(server.url, records)
  await searchIndexed(unfinished)
  await server.stop()
  if (existsSync(folder)) await rm(unfinished, { recursive: true })
  else await rename(unfinished, folder)
  return folder
}

/**
 * A data folder with this many records in the collection `parcels`, named “Parcel 1” and so on in order of creation.
 * Creating a million takes minutes, so the folder is created once per machine and then copied.
 */
export async function preparedList(records: number): Promise<string> {
  const made = await madeFolder(records)
  const own = await mkdtemp(join(tmpdir(), 'dossier-data-'))
  await cp(made, own, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return own
}
