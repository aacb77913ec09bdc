import type { RecordBody } from '#api/records.ts'
import type { RuleBody } from '#api/rules.ts'
import type { Field } from '#domain/fields/field.ts'
import { fileIdsIn } from '#domain/rich-text/document-references.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { delayAfterTries } from '#web/data/connection/connection-state.ts'
import { createStore } from '#web/ui/store.ts'
import { toClientValue, toWireValue } from '#web/shared/fields/client-value.ts'
import {
  draftOf,
  edited,
  failed,
  withInputError,
  hasUnsavedEdits,
  editsToStore,
  type StoredEdits,
  withConflicts,
  type RecordDraft,
  refreshed,
  withErrors,
  withRuleViolations,
  resumed,
  sendable,
  sending,
  settled,
  type ShownValues,
  stored,
} from './record-draft.ts'
import { violationsIn, type RuleChecker } from '#web/shared/validation-rules/rule-violations.ts'

export const AUTOSAVE_MS = 800

export type SaverDeps = {
  readonly fields: readonly Field[]
  readonly rules: readonly RuleBody[]
  /** Undefined until the rule checker loads. */
  readonly checker: () => RuleChecker | undefined
  /** Saves the values if the record's version still matches. */
  readonly save: (record: RecordBody, values: ShownValues) => Promise<RecordBody>
  readonly reload: () => Promise<RecordBody>
  /** Stores unsaved edits; `waiting` is the number of edits that will be sent. */
  readonly keep: (kept: StoredEdits, waiting: number) => void
  /** `before`: the record without these values. */
  readonly onStored: (record: RecordBody, values: ShownValues, before: RecordBody) => void
}

export type DraftSaver = ReturnType<typeof createDraftSaver>

export function createDraftSaver(start: RecordDraft, first: SaverDeps) {
  const deps: SaverDeps = { ...first }
  const store = createDraftStore(start, deps)
  const { flush, flushLater } = createSaving(store, deps)

  return {
    get: store.get,
    subscribe: store.subscribe,
    edit: (field: string, value: unknown) => {
      store.set(edited(store.get(), field, value))
      flushLater(AUTOSAVE_MS)
    },
    fault: (field: string, message: string) => store.set(withInputError(store.get(), field, message)),
    settle: (field: string, whose: 'mine' | 'theirs') => {
      store.set(settled(store.get(), field, whose))
      void flush()
    },
    /** Called after the record was reloaded. */
    take: (record: RecordBody) => {
      const next = refreshed(store.get(), record, deps.fields)
      if (next !== store.get()) store.set(next)
    },
    /** Restores stored edits unless there are newer ones; returns whether they were restored. */
    adopt: (left: StoredEdits): boolean => {
      if (hasUnsavedEdits(store.get())) return false
      store.set(resumed(store.get().base, left, deps.fields))
      void flush()
      return true
    },
    /** Called with new dependencies when the record is reopened. */
    serve: (next: SaverDeps) => void Object.assign(deps, next),
    discard: () => store.set(draftOf(store.get().base)),
    /** Called when the rule checker has loaded. */
    revalidate: () => store.set(store.get()),
    flush,
    hasUnsaved: () => hasUnsavedEdits(store.get()),
    /** Whether edits are being sent or can be sent; rejected and conflicting edits require user action first. */
    isWaiting: () => store.get().sending !== null || sendable(store.get()) !== undefined,
  }
}

type DraftStore = ReturnType<typeof createDraftStore>

function createDraftStore(start: RecordDraft, deps: Pick<SaverDeps, 'keep' | 'checker'>) {
  const withRules = (next: RecordDraft): RecordDraft => {
    const checked = deps.checker()?.(next.base.values, next.edits)
    return checked ? { ...next, checked } : next
  }
  const { get, set, subscribe } = createStore(withRules(start))
  return {
    get,
    subscribe,
    set: (next: RecordDraft) => {
      const draft = withRules(next)
      deps.keep(editsToStore(draft), Object.keys(sendable(draft) ?? {}).length)
      set(draft)
    },
  }
}

/** Sends edits one save at a time and resolves conflicts. */
function createSaving(store: DraftStore, deps: SaverDeps) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let tries = 0

  const flushLater = (delayMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), delayMs)
  }

  /** Also saves edits made while a save is running. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    running ??= saveAll().finally(() => {
      running = undefined
    })
    return running
  }

  async function saveAll() {
    for (let values = sendable(store.get()); values !== undefined; values = sendable(store.get())) {
      store.set(sending(store.get(), values))
      // Each save needs the version returned by the previous save.
      if (!(await saveOnce(values))) return
    }
  }

  /** Returns whether to continue saving. */
  async function saveOnce(values: ShownValues): Promise<boolean> {
    const { edits } = store.get()
    const answer = await deps.save(store.get().base, wireValues(deps.fields, values)).then(
      (record) => ({ record }),
      (error: unknown) => ({ error }),
    )
    if ('error' in answer) {
      if (await resolveConflicts(store, deps, { error: answer.error, values, edits })) return true
      if (toCallError(answer.error)?.isPassing) flushLater(delayAfterTries(tries))
      tries += 1
      return false
    }
    tries = 0
    const before = store.get().base
    store.set(stored(store.get(), answer.record, values))
    deps.onStored(store.get().base, values, before)
    if (touchesFiles(store.get().base, deps.fields, values)) void refresh(store, deps)
    return true
  }

  return { flush, flushLater }
}

type SaveError = { readonly error: unknown; readonly values: ShownValues; readonly edits: ShownValues }

/** Returns whether there are edits that can be sent immediately. */
async function resolveConflicts(
  store: DraftStore,
  deps: SaverDeps,
  { error, values, edits }: SaveError,
): Promise<boolean> {
  const failure = toCallError(error)
  if (failure?.code === 'values-invalid' && failure.errors.some(({ path }) => Object.hasOwn(values, path))) {
    store.set(withErrors(store.get(), failure.errors, edits))
    return true
  }
  if (failure?.code === 'rule-broken' && failure.errors.length > 0) {
    store.set(withRuleViolations(store.get(), violationsIn(failure.errors, deps.rules, Object.keys(values)), edits))
    return true
  }
  const current = failure?.code === 'version-conflict' ? await readAgain(deps) : undefined
  if (current) store.set(withConflicts(store.get(), current, deps.fields))
  else store.set(failed(store.get(), describeError(error)))
  return current !== undefined
}

const readAgain = ({ reload }: SaverDeps): Promise<RecordBody | undefined> =>
  reload().then(
    (record) => record,
    () => undefined,
  )

async function refresh(store: DraftStore, deps: SaverDeps): Promise<void> {
  const current = await readAgain(deps)
  if (current) store.set(refreshed(store.get(), current, deps.fields))
}

function wireValues(fields: readonly Field[], values: ShownValues): ShownValues {
  const wire = (name: string, value: unknown) => {
    const field = fields.find((each) => each.name === name)
    return field ? toWireValue(field, value) : value
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, wire(name, value)]))
}

/** New files have no URLs until the record is reloaded. */
const touchesFiles = ({ inside }: RecordBody, fields: readonly Field[], values: ShownValues): boolean =>
  fields.some(({ kind, name }) => {
    if (!Object.hasOwn(values, name)) return false
    const document = kind === 'rich-text' ? toClientValue('rich-text', values[name]) : null
    const isNew = (id: string): boolean => inside?.files[id] === undefined
    return kind === 'files' || (document !== null && typeof document === 'object' && fileIdsIn(document).some(isNew))
  })
