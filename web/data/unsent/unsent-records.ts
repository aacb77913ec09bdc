import { createStore, del, set, values } from 'idb-keyval'
import { createRecord, type RecordBody, updateRecord } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { startingValue } from '#domain/fields/kinds.ts'
import { apiValue, DEFAULT_FORM } from '#domain/records/named-values.ts'
import { callUnasked } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { connectionState, delayAfterTries } from '#web/data/connection/connection-state.ts'
import { queryClient } from '#web/data/queries/query-client.ts'
import { cacheRecord, invalidateLists } from '#web/data/queries/record-queries.ts'
import { hasSignedOut, sessionState } from '#web/data/session/session-state.ts'
import { UNSENT_DATABASE, UNSENT_STORE } from '#web/data/storage/clear-databases.ts'
import { uploads } from '#web/data/uploads/uploads.ts'
import { createUnsentQueue } from './unsent-queue.ts'
import { findUnsent, setHasUnsent, unsentState, type UnsentRecord } from './unsent-state.ts'

const store = createStore(UNSENT_DATABASE, UNSENT_STORE)

/** Undefined during impersonation, so that nothing is sent. */
function currentUser(): string | undefined {
  const { status, user } = sessionState.get()
  return status === 'signed-in' && user?.view_as?.is_on !== true ? user?.id : undefined
}

const queue = createUnsentQueue({
  state: unsentState,
  storage: {
    all: async () => {
      const all = await values<UnsentRecord>(store)
      setHasUnsent(all.length > 0)
      return all
    },
    put: (record) => {
      setHasUnsent(true)
      return set(record.body.id, record, store)
    },
    drop: (id) => del(id, store),
  },
  userId: currentUser,
  create: ({ collection, body, values: given }) =>
    callUnasked(createRecord, {
      params: { collection },
      body: { values: { ...given } },
      idempotencyKey: body.id,
    }),
  update: ({ id }, given, collection) =>
    callUnasked(updateRecord, { params: { collection, record: id }, body: { values: { ...given } } }),
  onSent: async ({ collection, body }, created) => {
    await uploads.moveToRecord(body.id, created.id)
    cacheRecord(queryClient, collection, created)
    invalidateLists(queryClient, collection)
  },
  describe: describeError,
})

type NewRecord = {
  readonly id: string
  readonly collection: string
  readonly fields: readonly Field[]
  readonly values: { readonly [field: string]: unknown }
  /** The record was sent, but no response was received. */
  readonly isTried: boolean
}

/** Stores a record that can't be sent at the moment. */
async function add({ id, collection, fields, values: given, isTried }: NewRecord, userId: string): Promise<RecordBody> {
  const at = new Date().toISOString()
  const defaults = fields.map((field) => [field.name, apiValue(field, startingValue(field), DEFAULT_FORM)])
  const body: RecordBody = {
    id,
    version: 1,
    createdAt: at,
    createdBy: userId,
    updatedAt: at,
    updatedBy: userId,
    values: { ...Object.fromEntries(defaults), ...given },
  }
  await queue.keep({ userId, collection, body, values: given, tried: isTried ? given : null, failure: null })
  return body
}

/** Only one tab sends or edits stored records at a time. */
const alone = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
  'locks' in navigator ? navigator.locks.request('dossier.unsent', work) : work()

let timer: ReturnType<typeof setTimeout> | undefined
let tries = 0

/** Sends stored records while the server is reachable; only one tab sends at a time. */
async function sendKept(): Promise<void> {
  clearTimeout(timer)
  await queue.load()
  if (!connectionState.reachable.get() || !isAnyWaiting()) return
  await alone(() => queue.load().then(queue.send))
  tries = isAnyWaiting() ? tries + 1 : 0
  // Retries, because the session may not have been restored yet.
  if (tries > 0) timer = setTimeout(() => void sendKept(), delayAfterTries(tries))
}

const isAnyWaiting = (): boolean => unsentState.get().records.some(({ failure }) => failure === null)

/** Signing out deletes the user's unsent records; if the session expires, they are kept for the same user. */
let user: string | undefined
const follow = () => {
  if (currentUser() === user) return
  const before = user
  user = currentUser()
  const isLeft = user === undefined && hasSignedOut(sessionState.get())
  void (isLeft ? forgetUnsentOf(before) : Promise.resolve()).then(sendKept)
}

/** Reads the store, because another tab may have added records. */
async function forgetUnsentOf(userId: string | undefined): Promise<void> {
  const all = await values<UnsentRecord>(store)
  await Promise.all(all.filter((each) => each.userId === userId).map(({ body }) => queue.forget(body.id)))
}

sessionState.subscribe(follow)
connectionState.reachable.subscribe(() => void sendKept())
follow()

export const unsentRecords = {
  add: (record: NewRecord): Promise<RecordBody> => add(record, currentUser() ?? ''),
  /** Loads records from an earlier visit. */
  load: queue.load,
  find: async (id: string): Promise<UnsentRecord | undefined> => {
    if (!findUnsent(id)) await queue.load()
    return findUnsent(id)
  },
  merge: async (id: string, given: UnsentRecord['values']): Promise<RecordBody | undefined> => {
    const body = await alone(() => queue.merge(id, given))
    void sendKept()
    return body
  },
  /** Deletes the record; returns a function that stores it again. */
  discard: async (record: UnsentRecord): Promise<() => Promise<void>> => {
    await queue.forget(record.body.id)
    return () => queue.keep(record)
  },
}
