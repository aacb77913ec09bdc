import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { failureText } from '#web/client/problem-text.ts'
import { delayAfterTries } from '#web/client/retry-delays.ts'
import { wireValue } from '#web/fields/shown-value.ts'
import {
  edited,
  failed,
  hasUnsaved,
  type KeptEdits,
  overtaken,
  type RecordDraft,
  refreshed,
  refused,
  sendable,
  sending,
  settled,
  type ShownValues,
  stored,
} from './record-draft.ts'

/** Wait after the last keystroke before an edit is stored by itself. */
export const AUTOSAVE_MS = 800

type Needs = {
  readonly fields: readonly Field[]
  /** Stores values if the record is still at this version. */
  readonly save: (record: RecordBody, values: ShownValues) => Promise<RecordBody>
  /** Reads the record with its related records and files. */
  readonly reload: () => Promise<RecordBody>
  /** Keeps what is not stored yet, in case the page is gone before it is. */
  readonly keep: (kept: KeptEdits) => void
  readonly onStored: (record: RecordBody) => void
}

/** Stores a record while somebody writes in it. */
export type DraftSaver = ReturnType<typeof createDraftSaver>

/** Begins with a draft; every change of it is told to those who listen. */
export function createDraftSaver(start: RecordDraft, { fields, save, reload, keep, onStored }: Needs) {
  let draft = start
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let tries = 0
  const listeners = new Set<() => void>()

  function change(next: RecordDraft) {
    draft = next
    keep({ version: draft.base.version, edits: draft.edits })
    for (const listener of listeners) listener()
  }

  const read = () =>
    reload().then(
      (record) => record,
      () => undefined,
    )

  const later = (delayMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), delayMs)
  }

  /** Stores now what can be stored; what is written meanwhile is stored right after. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    running ??= saveAll().finally(() => {
      running = undefined
    })
    return running
  }

  async function saveAll() {
    for (let values = sendable(draft); values !== undefined; values = sendable(draft)) {
      change(sending(draft, values))
      // Each save needs the version the one before it made.
      if (!(await saveOnce(values))) return
    }
  }

  /** Whether to go on with what is left. */
  async function saveOnce(values: ShownValues): Promise<boolean> {
    const answer = await save(draft.base, wireValues(fields, values)).then(
      (record) => ({ record }),
      (error: unknown) => ({ error }),
    )
    if ('error' in answer) return recover(answer.error, values)
    tries = 0
    change(stored(draft, answer.record, values))
    onStored(draft.base)
    if (touchesFiles(fields, values)) void refresh()
    return true
  }

  async function recover(error: unknown, values: ShownValues): Promise<boolean> {
    const failure = asCallFailed(error)
    if (failure?.code === 'values-invalid' && failure.errors.some(({ path }) => path in values)) {
      change(refused(draft, failure.errors))
      return true
    }
    if (failure?.code === 'version-conflict') {
      const current = await read()
      if (current) {
        change(overtaken(draft, current, fields))
        return true
      }
    }
    change(failed(draft, failureText(error)))
    if (failure === undefined || !failure.isPassing) return false
    later(delayAfterTries(tries))
    tries += 1
    return false
  }

  async function refresh() {
    const current = await read()
    if (current) change(refreshed(draft, current, fields))
  }

  return {
    snapshot: () => draft,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    edit: (field: string, value: unknown) => {
      change(edited(draft, field, value))
      later(AUTOSAVE_MS)
    },
    settle: (field: string, whose: 'mine' | 'theirs') => {
      change(settled(draft, field, whose))
      void flush()
    },
    /** The record was read again. */
    take: (record: RecordBody) => {
      const next = refreshed(draft, record, fields)
      if (next !== draft) change(next)
    },
    flush,
    hasUnsaved: () => hasUnsaved(draft),
  }
}

function wireValues(fields: readonly Field[], values: ShownValues): ShownValues {
  const wire = (name: string, value: unknown) => {
    const field = fields.find((each) => each.name === name)
    return field ? wireValue(field, value) : value
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, wire(name, value)]))
}

/** A file that has just arrived has its addresses from the server only once the record is read again. */
const touchesFiles = (fields: readonly Field[], values: ShownValues): boolean =>
  fields.some(({ kind, name }) => kind === 'files' && name in values)
