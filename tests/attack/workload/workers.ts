import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, demand, signIn } from './client.ts'
import { OWNER } from '#tests/attack/environments.ts'
import type { Worker, WorkContext } from './worker.ts'
import { NOTHING, REJECTED, type Thing } from './ledger.ts'
import { author, breaker, inviter, keyholder, createPapersCollection, viewer } from './office-workers.ts'

const CASES = '/api/collections/cases'

export async function createCollections(client: Client): Promise<void> {
  const fields = [
    { label: 'Title', kind: 'text', required: true, unique: true },
    { label: 'Size', kind: 'number' },
    { label: 'Batch', kind: 'text' },
    { label: 'Files', kind: 'files' },
  ]
  demand(await client.ask('POST', '/api/collections', { label: 'Cases', fields }), 201)
  await createPapersCollection(client)
}

const found = async ({ ask }: Client, filter: string) => {
  const address = `${CASES}/records?count=exact&filter=${encodeURIComponent(filter)}`
  return demand(await ask('GET', address), 200).body
}

/** A record identified by its title; its state is its size, or that it is missing or duplicated. */
const recordTitled = (title: string): Thing => ({
  name: `the record “${title}”`,
  look: async (client) => {
    const { items, total } = await found(client, `title = "${title}"`)
    return total > 1 ? 'there twice' : (items[0]?.values.size ?? NOTHING)
  },
})

/** A batch of records; its state is how many of them exist, which must be none or all. */
const batchOf = (batch: string): Thing => ({
  name: `the batch “${batch}”`,
  look: async (client) => (await found(client, `batch = "${batch}"`)).total,
})

/** Creates records, and updates or deletes some of them. */
export function writer({ ledger, draw }: WorkContext, name: string): Worker {
  const mine = new Map<string, { id: string; size: number }>()
  let made = 0
  const create = async ({ ask }: Client): Promise<void> => {
    const title = `${name} ${(made += 1)}`
    const size = draw.below(1_000_000)
    await ledger.change(recordTitled(title), { before: NOTHING, after: size }, async () => {
      const { id } = demand(await ask('POST', `${CASES}/records`, { values: { title, size } }), 201).body
      mine.set(title, { id, size })
    })
  }
  const change = async ({ ask }: Client, title: string): Promise<void> => {
    const { id = '' } = mine.get(title) ?? {}
    const size = draw.below(1_000_000)
    await ledger.change(recordTitled(title), { after: size }, async () =>
      demand(await ask('PATCH', `${CASES}/records/${id}`, { values: { size } }), 200),
    )
  }
  const remove = async ({ ask }: Client, title: string): Promise<void> => {
    const { id = '' } = mine.get(title) ?? {}
    mine.delete(title)
    await ledger.change(recordTitled(title), { after: NOTHING }, async () =>
      demand(await ask('DELETE', `${CASES}/records/${id}`), 204),
    )
  }
  return async (client) => {
    const titles = [...mine.keys()]
    const isNew = titles.length === 0 || draw.chance(0.5)
    if (isNew) return create(client)
    return draw.chance(0.8) ? change(client, draw.one(titles)) : remove(client, draw.one(titles))
  }
}

/** Creates records in batches of a hundred: either all records of a request exist, or none. */
export function bulkWriter({ ledger, draw }: WorkContext, name = 'all'): Worker {
  let made = 0
  return async ({ ask }) => {
    const batch = `bulk of ${name} ${(made += 1)}`
    const count = 1 + draw.below(200)
    const create = Array.from({ length: count }, (_, at) => ({ values: { title: `${batch} ${at}`, batch } }))
    await ledger.change(batchOf(batch), { before: 0, after: count }, async () =>
      demand(await ask('POST', `${CASES}/records/bulk`, { create }), 200),
    )
  }
}

const ASK_AGAIN_MS = 100

const BUSY_STATES: readonly unknown[] = ['ready', 'running']

/**
 * Import errors that leave no rows behind: the collection was redefined, the database is unreachable, or the disk is
 * full.
 */
const MAY_FAIL =
  /was changed during the import|Nothing was changed\. (?:Try again|Free up space)|lost during the commit/

/** Errors of an import whose process crashed or was stopped, or couldn't write how the import ended. */
const MAY_DIE = /^The import of .+ was interrupted|was stopped during the import/

/** Imports CSV files: once the server reports that an import has ended, either all of its rows exist or none. */
function importer({ ledger, draw }: WorkContext, { mortal = false }: Excluded): Worker {
  let made = 0
  const untilOver = async ({ ask }: Client, id: string): Promise<string> => {
    for (;;) {
      const answer = await ask('GET', `/api/imports/${id}`)
      if (answer.status === 503) await pause(ASK_AGAIN_MS)
      if (answer.status === 503) continue
      const { state, failure } = demand(answer, 200).body
      if (!BUSY_STATES.includes(state)) return failure ?? state
    }
  }
  return async (client) => {
    const batch = `import ${(made += 1)}`
    const count = 1 + draw.below(2000)
    const rows = Array.from({ length: count }, (_, at) => `${batch} ${at},${at},${batch}`)
    let id: string | undefined
    const thing: Thing = {
      name: `the rows of “${batch}”`,
      look: async (looking) => {
        // A snapshot taken before the import was created doesn't contain it.
        const known = id === undefined ? undefined : await looking.ask('GET', `/api/imports/${id}`)
        if (id !== undefined && known?.body.state === 'running') await untilOver(looking, id)
        return (await found(looking, `batch = "${batch}"`)).total
      },
    }
    await ledger.change(thing, { before: 0, after: count }, async () => {
      const csv = `title,size,batch\n${rows.join('\n')}\n`
      id = demand(await client.ask('POST', `${CASES}/imports`, csv), 202).body.id as string
      const end = await untilOver(client, id)
      if (MAY_FAIL.test(end) || (mortal && MAY_DIE.test(end))) return REJECTED
      if (end !== 'done') throw new Error(`An import ended unexpectedly: ${end}`)
      return end
    })
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Uploads files and attaches each to a record; `onAttached` receives the file's ID, so that other workers can read it.
 */
export function uploader({ ledger, draw }: WorkContext, name: string, onAttached?: (id: string) => void): Worker {
  let made = 0
  const bytesOf = (id: string): Thing => ({
    name: `the file ${id}`,
    look: async ({ read }) => {
      const { status, bytes } = await read(`/api/files/${id}`)
      return status === 200 ? sha256(bytes) : `answered with ${status}`
    },
  })
  const filesOf = (title: string): Thing => ({
    name: `the files of “${title}”`,
    look: async (client) => (await found(client, `title = "${title}"`)).items[0]?.values.files ?? NOTHING,
  })
  return async ({ ask }) => {
    const bytes = randomBytes(1 + draw.below(400_000))
    const form = new FormData()
    form.append('filepond', new Blob([bytes]), 'file.bin')
    const { text: id } = demand(await ask('POST', '/api/uploads?collection=cases&field=files', form), 201)
    ledger.keep(bytesOf(id), sha256(bytes))
    const title = `${name} ${(made += 1)}`
    await ledger.change(filesOf(title), { before: NOTHING, after: [id] }, async () =>
      demand(await ask('POST', `${CASES}/records`, { values: { title, files: [id] } }), 201),
    )
    onAttached?.(id)
  }
}

/** Changes definitions: creates and relabels fields, creates and deletes collections. */
function definer({ ledger, draw }: WorkContext): Worker {
  let made = 0
  const fields = new Set<string>()
  const collections = new Set<string>()
  const fieldNamed = (name: string): Thing => ({
    name: `the field “${name}”`,
    look: async ({ ask }) => {
      const { body } = demand(await ask('GET', CASES), 200)
      return body.fields.find((field: { name: string }) => field.name === name)?.label ?? NOTHING
    },
  })
  const collectionNamed = (name: string): Thing => ({
    name: `the collection “${name}”`,
    look: async ({ ask }) => {
      const answer = demand(await ask('GET', `/api/collections/${name}`), 200, 404)
      return answer.status === 200 ? answer.body.fields.length : NOTHING
    },
  })
  const addField = async ({ ask }: Client): Promise<void> => {
    const name = `extra_${(made += 1)}`
    await ledger.change(fieldNamed(name), { before: NOTHING, after: name }, async () => {
      demand(
        await ask('POST', `${CASES}/fields`, { name, label: name, kind: draw.one(['text', 'number', 'date']) }),
        201,
      )
      fields.add(name)
    })
  }
  const renameField = async ({ ask }: Client, name: string): Promise<void> => {
    const label = `Label ${(made += 1)}`
    await ledger.change(fieldNamed(name), { after: label }, async () =>
      demand(await ask('PATCH', `${CASES}/fields/${name}`, { label }), 200),
    )
  }
  const removeField = async ({ ask }: Client, name: string): Promise<void> => {
    fields.delete(name)
    await ledger.change(fieldNamed(name), { after: NOTHING }, async () =>
      demand(await ask('DELETE', `${CASES}/fields/${name}`), 200),
    )
  }
  const addCollection = async ({ ask }: Client): Promise<void> => {
    const name = `shelf_${(made += 1)}`
    await ledger.change(collectionNamed(name), { before: NOTHING, after: 3 }, async () => {
      demand(await ask('POST', '/api/collections', { name, label: name }), 201)
      collections.add(name)
    })
  }
  const removeCollection = async ({ ask }: Client, name: string): Promise<void> => {
    collections.delete(name)
    await ledger.change(collectionNamed(name), { after: NOTHING }, async () =>
      demand(await ask('DELETE', `/api/collections/${name}`), 204),
    )
  }
  return async (client) => {
    const step = draw.below(5)
    const [field, collection] = [[...fields].at(-1), [...collections].at(-1)]
    if (step === 0 && collection !== undefined && collections.size > 3) return removeCollection(client, collection)
    if (step === 1) return addCollection(client)
    if (step === 2 && field !== undefined) return renameField(client, field)
    if (field !== undefined && fields.size > 5) return removeField(client, field)
    return addField(client)
  }
}

/** Signs in, uses the session, and signs out. */
function signer({ ledger, draw }: WorkContext): Worker {
  type Session = { readonly thing: Thing; token: string; refreshToken: string; isRefreshing: boolean }
  let made = 0
  let open: Session[] = []
  const begin = async (client: Client): Promise<void> => {
    const { token, refresh_token: refreshToken } = await signIn(client, OWNER.email, OWNER.password)
    const session: Session = {
      thing: sessionOf(() => session.token, (made += 1)),
      token,
      refreshToken,
      isRefreshing: false,
    }
    ledger.keep(session.thing, 'open')
    open.push(session)
  }
  const sessionOf = (token: () => string, number: number): Thing => ({
    name: `session ${number}`,
    look: async (client) => {
      const { status } = await client.as(token()).ask('GET', '/api/auth/user')
      return status === 200 ? 'open' : status === 401 ? 'ended' : status
    },
  })
  const goOn = async ({ ask }: Client, session: Session): Promise<void> => {
    session.isRefreshing = true
    const answer = demand(await ask('POST', '/api/auth/refresh', { refresh_token: session.refreshToken }), 200)
    Object.assign(session, { token: answer.body.token, refreshToken: answer.body.refresh_token, isRefreshing: false })
    ledger.keep(session.thing, 'open')
  }
  const end = async (client: Client, session: Session): Promise<void> => {
    open = open.filter((other) => other !== session)
    await ledger.change(session.thing, { after: 'ended' }, async () =>
      demand(await client.as(session.token).ask('POST', '/api/auth/logout'), 204),
    )
  }
  return async (client) => {
    // After an unanswered refresh, the token may have been consumed, so the session is dropped.
    const sure = open.filter(({ isRefreshing }) => !isRefreshing)
    if (sure.length < 2) return begin(client)
    return draw.chance(0.7) ? goOn(client, draw.one(sure)) : end(client, draw.one(sure))
  }
}

/**
 * Workers to exclude from a trial. `timed`: those whose objects expire over time; `patient`: those that may wait for a
 * minute. `mortal` excludes none; it means that imports can be interrupted, because server processes are killed or the end
 * of an import can't be written.
 */
type Excluded = { readonly timed?: boolean; readonly patient?: boolean; readonly mortal?: boolean }

/** All workers except the excluded ones. */
export const workersOf = (work: WorkContext, excluded: Excluded = {}): readonly Worker[] => [
  ...['Ada', 'Ben', 'Cleo', 'Dan'].map((name) => writer(work, name)),
  bulkWriter(work),
  ...(excluded.patient ? [] : [importer(work, excluded)]),
  uploader(work, 'drawing'),
  uploader(work, 'letter'),
  definer(work),
  ...(excluded.timed ? [] : [signer(work)]),
  ...[author, breaker, viewer, keyholder, inviter].map((worker) => worker(work)),
]
