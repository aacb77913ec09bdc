import type { RecordBody } from '#api/records.ts'
import { sameJson, type Json } from '#domain/shared/json.ts'
import { type FailureCode, toCallError } from '#web/data/api/call-error.ts'
import type { Store } from '#web/ui/store.ts'
import type { SendFailure, UnsentRecord, UnsentState } from './unsent-state.ts'

type Values = UnsentRecord['values']

export type UnsentDeps = {
  readonly state: Store<UnsentState>
  readonly storage: {
    readonly all: () => Promise<readonly UnsentRecord[]>
    readonly put: (record: UnsentRecord) => Promise<void>
    readonly drop: (id: string) => Promise<void>
  }
  /** The user whose records may be sent; undefined if signed out. */
  readonly userId: () => string | undefined
  /** Creates the record on the server; idempotent for the same ID. */
  readonly create: (record: UnsentRecord) => Promise<RecordBody>
  readonly update: (record: RecordBody, values: Values, collection: string) => Promise<RecordBody>
  /** Called after a record was sent; its files must be queued before the record is deleted here. */
  readonly onSent: (record: UnsentRecord, created: RecordBody) => Promise<void>
  readonly describe: (error: unknown) => SendFailure
}

/** Nothing is wrong with the record: the session may be restored, and a busy server accepts it later. */
const PASSING_CODES: readonly FailureCode[] = ['session-expired', 'session-changed', 'aborted', 'too-many-at-once']

/** Whether sending may succeed later; a rejected record must be corrected by the user. */
function mayPass(error: unknown): boolean {
  const failure = toCallError(error)
  return failure !== undefined && (failure.isPassing || PASSING_CODES.includes(failure.code))
}

/** Values that have changed since the first attempt. */
function changedSince(tried: Values, values: Values): Values {
  const isSame = (name: string) => sameJson(tried[name] as Json, values[name] as Json)
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isSame(name)))
}

/**
 * Stores records and keeps the displayed state in sync. Changes run one after another, so that each is based on the
 * result of the previous one.
 */
function createUnsentStore({ state, storage, userId }: Pick<UnsentDeps, 'state' | 'storage' | 'userId'>) {
  const change = (part: Partial<UnsentState>) => state.set({ ...state.get(), ...part })
  const find = (id: string) => state.get().records.find(({ body }) => body.id === id)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const next = last.then(work, work)
    last = next
    return next
  }

  /** Shows a record only after it is stored, so that an acknowledged record survives a browser crash. */
  async function put(record: UnsentRecord): Promise<void> {
    await storage.put(record)
    if (record.userId !== userId()) return
    const { records } = state.get()
    const isNew = find(record.body.id) === undefined
    change({
      records: isNew ? [...records, record] : records.map((each) => (each.body.id === record.body.id ? record : each)),
    })
  }

  return {
    change,
    find,
    /** The record after all pending changes. */
    findSettled: (id: string): Promise<UnsentRecord | undefined> => inTurn(() => Promise.resolve(find(id))),
    keep: (record: UnsentRecord): Promise<void> => inTurn(() => put(record)),
    /** Changes a stored record and returns it; undefined if it has been sent or deleted. */
    amend: (id: string, changed: (record: UnsentRecord) => UnsentRecord): Promise<UnsentRecord | undefined> =>
      inTurn(async () => {
        // Another tab may have changed or sent the record.
        const now = (await storage.all()).find(({ body }) => body.id === id)
        if (!now) return undefined
        const next = changed(now)
        await put(next)
        return next
      }),
    forget: (id: string): Promise<void> =>
      inTurn(async () => {
        await storage.drop(id)
        change({ records: state.get().records.filter(({ body }) => body.id !== id) })
      }),
    /** Loads only this user's records. */
    load: (): Promise<void> =>
      inTurn(async () => {
        const user = userId()
        const own = (await storage.all()).filter((record) => record.userId === user)
        change({ records: own.toSorted((one, other) => (one.body.id < other.body.id ? -1 : 1)) })
      }),
  }
}

/** Sends records in order of creation. */
export function createUnsentQueue(deps: UnsentDeps) {
  const { state } = deps
  const { change, find, findSettled, keep, amend, forget, load } = createUnsentStore(deps)
  let sending: Promise<void> | undefined

  async function sendOne(record: UnsentRecord): Promise<void> {
    const { id } = record.body
    const begun = await amend(id, (now) => ({ ...now, tried: now.tried ?? now.values }))
    if (!begun) return
    const tried = begun.tried ?? begun.values
    const created = await deps.create({ ...begun, values: tried }).then(undefined, async (error: unknown) => {
      // A rejected request creates nothing, so the next attempt can send different values.
      if (!mayPass(error)) await amend(id, (now) => ({ ...now, tried: null }))
      throw error
    })
    // An edit may have started just before this record was sent.
    const now = (await findSettled(id)) ?? begun
    const later = changedSince(tried, now.values)
    const current = Object.keys(later).length === 0 ? created : await deps.update(created, later, now.collection)
    await deps.onSent(now, current)
    change({ sentAs: new Map([...state.get().sentAs, [id, current.id]]) })
    await forget(id)
  }

  /** Returns whether the next record may be sent; false preserves the order. */
  async function sendOrKeep(record: UnsentRecord): Promise<boolean> {
    return sendOne(record).then(
      () => true,
      async (error: unknown) => {
        if (mayPass(error)) return false
        const failure = deps.describe(error)
        return (await amend(record.body.id, (now) => ({ ...now, failure }))) !== undefined
      },
    )
  }

  async function sendAll(userId: string): Promise<void> {
    for (const { body } of state.get().records) {
      const record = find(body.id)
      const isDue = record?.failure === null && record.userId === userId
      if (isDue && !(await sendOrKeep(record))) return
    }
  }

  function send(): Promise<void> {
    const userId = deps.userId()
    if (userId === undefined) return Promise.resolve()
    if (sending) return sending
    change({ isSending: true })
    sending = sendAll(userId).finally(() => {
      sending = undefined
      change({ isSending: false })
    })
    return sending
  }

  return {
    keep,
    send,
    forget,
    load,
    /** Applies edits to an unsent record; returns undefined if it has been sent. */
    merge: async (id: string, values: Values): Promise<RecordBody | undefined> => {
      // Waits for an attempt in progress, which may send the record.
      await sending
      const merged = await amend(id, (record) => {
        // Must be higher than the record's version in the open page and in the cache.
        const version = record.body.version + 1
        const body = { ...record.body, version, values: { ...record.body.values, ...values } }
        return { ...record, body, values: { ...record.values, ...values }, failure: null }
      })
      return merged?.body
    },
  }
}
