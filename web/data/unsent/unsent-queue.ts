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

const SESSION_CODES: readonly FailureCode[] = ['session-expired', 'session-changed', 'aborted']

/**
 * Whether sending may succeed later: the session may be restored, but a rejected record must be corrected by the user.
 */
function mayPass(error: unknown): boolean {
  const failure = toCallError(error)
  return failure !== undefined && (failure.isPassing || SESSION_CODES.includes(failure.code))
}

/** Values that have changed since the first attempt. */
function changedSince(tried: Values, values: Values): Values {
  const isSame = (name: string) => sameJson(tried[name] as Json, values[name] as Json)
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isSame(name)))
}

/** Stores records and keeps the displayed state in sync. */
function createUnsentStore({ state, storage, userId }: Pick<UnsentDeps, 'state' | 'storage' | 'userId'>) {
  const change = (part: Partial<UnsentState>) => state.set({ ...state.get(), ...part })
  const find = (id: string) => state.get().records.find(({ body }) => body.id === id)
  return {
    change,
    find,
    /** Shows a record only after it is stored, so that an acknowledged record survives a browser crash. */
    keep: async (record: UnsentRecord): Promise<void> => {
      await storage.put(record)
      const { records } = state.get()
      const isNew = find(record.body.id) === undefined
      change({
        records: isNew ? [...records, record] : records.map((each) => (each.body.id === record.body.id ? record : each)),
      })
    },
    forget: async (id: string): Promise<void> => {
      await storage.drop(id)
      change({ records: state.get().records.filter(({ body }) => body.id !== id) })
    },
    /** Loads only this user's records. */
    load: async (): Promise<void> => {
      const user = userId()
      const own = (await storage.all()).filter((record) => record.userId === user)
      change({ records: own.toSorted((one, other) => (one.body.id < other.body.id ? -1 : 1)) })
    },
  }
}

/** Sends records in order of creation. */
export function createUnsentQueue(deps: UnsentDeps) {
  const { state } = deps
  const { change, find, keep, forget, load } = createUnsentStore(deps)
  let sending: Promise<void> | undefined

  async function sendOne(record: UnsentRecord): Promise<void> {
    const tried = record.tried ?? record.values
    if (record.tried === null) await keep({ ...record, tried })
    const created = await deps.create({ ...record, values: tried }).then(undefined, async (error: unknown) => {
      // A rejected request creates nothing, so the next attempt can send different values.
      if (!mayPass(error)) await keep({ ...record, tried: null })
      throw error
    })
    const later = changedSince(tried, record.values)
    const { id } = record.body
    const current = Object.keys(later).length === 0 ? created : await deps.update(created, later, record.collection)
    await deps.onSent(record, current)
    change({ sentAs: new Map([...state.get().sentAs, [id, current.id]]) })
    await forget(id)
  }

  /** Returns whether the next record may be sent; false preserves the order. */
  async function sendOrKeep(record: UnsentRecord): Promise<boolean> {
    return sendOne(record).then(
      () => true,
      async (error: unknown) => {
        const now = find(record.body.id)
        if (mayPass(error) || !now) return false
        await keep({ ...now, failure: deps.describe(error) })
        return true
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
      const record = find(id)
      if (!record) return undefined
      // Must be higher than the record's version in the open page and in the cache.
      const version = record.body.version + 1
      const body = { ...record.body, version, values: { ...record.body.values, ...values } }
      await keep({ ...record, body, values: { ...record.values, ...values }, failure: null })
      return body
    },
  }
}
