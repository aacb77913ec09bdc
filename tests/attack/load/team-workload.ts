import type { Random } from '#tests/access-oracle/generate/random.ts'
import { type Client, demand } from '#tests/attack/workload/client.ts'
import type { Worker, WorkContext } from '#tests/attack/workload/worker.ts'
import { bulkWriter, uploader, writer } from '#tests/attack/workload/workers.ts'
import { CASES } from './team.ts'

export type Step = { readonly kind: Kind; readonly worker: Worker }

/** Request kinds, in report order. */
export const KINDS = ['list', 'search', 'record', 'figures', 'file', 'edit', 'bulk', 'move', 'upload'] as const

export type Kind = (typeof KINDS)[number]

/** Uploaded files that all clients read. */
export type SharedFiles = { readonly files: string[] }

const WORDS = ['bador', 'corfi', 'denba', 'galho', 'marin']

const ask = async ({ ask: send }: Client, path: string) => demand(await send('GET', path), 200).body

const listing = (query: Readonly<Record<string, string>>): string =>
  `${CASES}/records?${new URLSearchParams(query).toString()}`

/** Reads the data that a page would: filtered, sorted and scrolled lists, records, counts and files. */
function reader(draw: Random, sharedFiles: SharedFiles): () => Step {
  let known: readonly string[] = []
  const list = async (client: Client): Promise<void> => {
    const least = draw.below(9000)
    const query = draw.one([
      { filter: `size >= ${least} && size < ${least + 500}`, sort: '-size', perPage: '50' },
      { filter: `stage = "In work"`, sort: 'due', perPage: '50' },
      { sort: '-size', perPage: '100', page: String(1 + draw.below(100)) },
      { perPage: '100', page: String(1 + draw.below(100)) },
    ])
    const { items } = await ask(client, listing(query))
    known = items.map(({ id }: { readonly id: string }) => id)
  }
  const search = async (client: Client): Promise<void> => {
    await ask(client, listing({ search: draw.one(WORDS), perPage: '50', marks: 'true' }))
  }
  const record = async (client: Client): Promise<void> => {
    const answer = await client.ask('GET', `${CASES}/records/${draw.one(known)}?expand=*`)
    // A colleague may have deleted the record since it was listed; the ledger checks that no record is lost.
    if (answer.status !== 404) demand(answer, 200)
  }
  const figures = async (client: Client): Promise<void> => {
    await ask(client, draw.one(['/api/home/counts', `${CASES}/groups?by=stage`, `${CASES}/sums?aggregates=sum(size)`]))
  }
  const file = async ({ read }: Client): Promise<void> => {
    const { status } = await read(`/api/files/${draw.one(sharedFiles.files)}`)
    if (status !== 200) throw new Error(`A file got ${status}.`)
  }
  return () => {
    const at = draw.below(100)
    if (at < 10) return { kind: 'search', worker: search }
    if (at < 20) return { kind: 'figures', worker: figures }
    if (at < 35 && sharedFiles.files.length > 0) return { kind: 'file', worker: file }
    return at < 70 && known.length > 0 ? { kind: 'record', worker: record } : { kind: 'list', worker: list }
  }
}

/** Creates records and moves them through the workflow. */
function mover({ ledger, draw }: WorkContext, name: string): Worker {
  let made = 0
  const stageOf = (title: string) => ({
    name: `the stage of “${title}”`,
    look: async (client: Client) =>
      (await ask(client, listing({ filter: `title = "${title}"` }))).items[0]?.values.stage,
  })
  return async (client) => {
    const title = `${name} moves ${(made += 1)}`
    const values = { title, size: draw.below(10_000) }
    const thing = stageOf(title)
    let id = ''
    await ledger.change(thing, { after: 'New' }, async () => {
      id = demand(await client.ask('POST', `${CASES}/records`, { values }), 201).body.id
    })
    await ledger.change(thing, { after: 'In work' }, async () =>
      demand(await client.ask('POST', `${CASES}/records/${id}/transitions`, { to: 'In work' }), 200),
    )
  }
}

/** One member's work: 80% reads, 15% changes and 5% uploads. */
export function memberOf(work: WorkContext, name: string, sharedFiles: SharedFiles): () => Step {
  const { draw } = work
  const read = reader(draw, sharedFiles)
  const edit = writer(work, name)
  const send = uploader(work, `${name} sends`, (id) => sharedFiles.files.push(id))
  const bulk = bulkWriter(work, name)
  const move = mover(work, name)
  return () => {
    const at = draw.below(100)
    if (at < 80) return read()
    if (at < 91) return { kind: 'edit', worker: edit }
    if (at < 94) return { kind: 'move', worker: move }
    return at < 95 ? { kind: 'bulk', worker: bulk } : { kind: 'upload', worker: send }
  }
}
