import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { sameJson, type Json } from '#domain/shared/json.ts'
import type { PartProblem } from '#domain/shared/problem.ts'
import { toClientValue, toWireValue } from '#web/shared/fields/client-value.ts'
import {
  type RuleViolation,
  violationAt,
  type RuleCheck,
  NO_VIOLATIONS,
} from '#web/shared/validation-rules/rule-violations.ts'

/** Values by field name, as the browser holds them. */
export type ShownValues = { readonly [field: string]: unknown }

/**
 * A record while somebody writes in it: what the server last said, what was changed since, and what stands in the way
 * of saving it. Everything here is pure; the saving itself is done around it.
 */
export type RecordDraft = {
  readonly base: RecordBody
  /** Changed and not yet stored. */
  readonly edits: ShownValues
  /** On its way to the server. */
  readonly sending: ShownValues | null
  /** What is wrong with a value, by field; it is sent again once it has changed. */
  readonly errors: { readonly [field: string]: string }
  /** Fields that somebody else changed too, with the other value; which of the two counts must be said. */
  readonly conflicts: ShownValues
  /** Rules that the edits would break as they are, and the edits that wait for that reason. */
  readonly judged: RuleCheck
  /** Rules that the server found broken; each is asked again once a field it names has changed. */
  readonly refusals: readonly RuleViolation[]
  /** Why the last try failed as a whole. */
  readonly failure: { readonly title: string; readonly detail: string } | null
}

/** How it stands with saving, in one word. */
export type DraftStatus = 'saved' | 'waiting' | 'saving' | 'invalid' | 'conflict' | 'failed'

/** A record nobody has written in yet, or one with edits that outlived a reload. */
export const draftOf = (base: RecordBody, edits: ShownValues = {}): RecordDraft => ({
  base,
  edits,
  sending: null,
  errors: {},
  conflicts: {},
  judged: NO_VIOLATIONS,
  refusals: [],
  failure: null,
})

/** What a field shows: the edit, else what is stored. */
export const draftValue = (draft: RecordDraft, field: string): unknown =>
  Object.hasOwn(draft.edits, field) ? draft.edits[field] : draft.base.values[field]

/** A value was changed. */
export const edited = (draft: RecordDraft, field: string, value: unknown): RecordDraft => ({
  ...draft,
  edits: { ...draft.edits, [field]: value },
  errors: without(draft.errors, [field]),
  refusals: draft.refusals.filter(({ fields }) => !fields.includes(field)),
})

/** What stands in an input is no value of its field: what was typed on the way to it must not be stored either. */
export const withInputError = (draft: RecordDraft, field: string, message: string): RecordDraft => ({
  ...draft,
  edits: without(draft.edits, [field]),
  errors: { ...draft.errors, [field]: message },
})

/** What can be sent now: everything changed that is neither refused nor disputed. Undefined when there is nothing. */
export function sendable(draft: RecordDraft): ShownValues | undefined {
  const { errors, conflicts, judged, refusals } = draft
  const broken = refusals.flatMap(({ fields }) => fields)
  const stuck = [...Object.keys(errors), ...Object.keys(conflicts), ...judged.withheld, ...broken]
  const values = without(draft.edits, stuck)
  return Object.keys(values).length === 0 ? undefined : values
}

/** Values are on their way. */
export const sending = (draft: RecordDraft, values: ShownValues): RecordDraft => ({
  ...draft,
  sending: values,
  failure: null,
})

/**
 * The server has stored what was sent. Edits made meanwhile stay. Values keep their identity, so that an editor whose
 * text was stored is not told of a new one.
 */
export function stored(draft: RecordDraft, answer: RecordBody, values: ShownValues): RecordDraft {
  const done = Object.keys(values).filter((field) => draft.edits[field] === values[field])
  return {
    ...draft,
    base: {
      ...answer,
      ...(draft.base.inside && { inside: draft.base.inside }),
      ...(draft.base.people && { people: draft.base.people }),
      values: { ...answer.values, ...unexpanded(draft.base.values, answer.values), ...values },
    },
    edits: without(draft.edits, done),
    sending: null,
    failure: null,
  }
}

/** The server refused some values, as they were `then`; those not written since wait, and the others are sent again. */
export const withErrors = (draft: RecordDraft, problems: readonly PartProblem[], then: ShownValues): RecordDraft => ({
  ...draft,
  sending: null,
  errors: {
    ...draft.errors,
    ...Object.fromEntries(
      problems
        .filter(({ path }) => path !== '' && draft.edits[path] === then[path])
        .map(({ path, message }) => [path, message]),
    ),
  },
})

/**
 * The server found rules broken by the edits as they were `then`: what was sent waits until something they name has
 * changed. A rule is asked again at once where that has happened meanwhile.
 */
export const withRuleViolations = (
  draft: RecordDraft,
  breaches: readonly RuleViolation[],
  then: ShownValues,
): RecordDraft => ({
  ...draft,
  sending: null,
  refusals: [
    ...draft.refusals,
    ...breaches.filter(({ fields }) => fields.every((field) => draft.edits[field] === then[field])),
  ],
})

/** Every rule that stands in the way now, each once. */
export function violationsOf({ judged, refusals }: RecordDraft): readonly RuleViolation[] {
  const isSaid = ({ path, message }: RuleViolation) =>
    judged.breaches.some((known) => known.path === path && known.message === message)
  return [...judged.breaches, ...refusals.filter((breach) => !isSaid(breach))]
}

/** What is wrong with what a field shows. */
export const errorAt = (draft: RecordDraft, field: string): string | undefined =>
  draft.errors[field] ?? violationAt(violationsOf(draft), field)

/** Nothing could be sent; all edits are kept. */
export const failed = (draft: RecordDraft, failure: NonNullable<RecordDraft['failure']>): RecordDraft => ({
  ...draft,
  sending: null,
  failure,
})

/**
 * Somebody else has saved meanwhile. Where they changed other fields, both changes stand, and so do files that were added
 * to theirs; where they changed the same field to something else, it is disputed.
 */
export function withConflicts(draft: RecordDraft, current: RecordBody, fields: readonly Field[]): RecordDraft {
  const same = (name: string, left: unknown, right: unknown) => sameValue(fields, name, left, right)
  const touched = Object.keys(draft.edits)
  const agreed = touched.filter((name) => same(name, draft.edits[name], current.values[name]))
  const differing = touched.filter(
    (name) => !agreed.includes(name) && !same(name, draft.base.values[name], current.values[name]),
  )
  const isFiles = (name: string) => fields.some((field) => field.name === name && field.kind === 'files')
  const joined = new Map(
    differing.filter(isFiles).flatMap((name) => {
      const both = addedToTheirs(draft.base.values[name], draft.edits[name], current.values[name])
      return both ? [[name, both] as const] : []
    }),
  )
  const disputed = differing.filter((name) => !joined.has(name))
  return {
    ...draft,
    base: withIdentities(current, draft.base),
    edits: { ...without(draft.edits, agreed), ...Object.fromEntries(joined) },
    sending: null,
    conflicts: {
      ...without(draft.conflicts, agreed),
      ...Object.fromEntries(disputed.map((name) => [name, current.values[name]])),
    },
  }
}

/** Their files, and behind them those of mine that are new; undefined where I have done anything else than add some. */
function addedToTheirs(base: unknown, mine: unknown, theirs: unknown): readonly unknown[] | undefined {
  const [was, is, other] = [toClientValue('files', base), toClientValue('files', mine), toClientValue('files', theirs)]
  if (was.some(({ id }, at) => is[at]?.id !== id)) return undefined
  return [...other, ...is.slice(was.length).filter(({ id }) => other.every((each) => each.id !== id))]
}

/** The disputed value is settled: mine is sent over theirs, or mine is given up. */
export function settled(draft: RecordDraft, field: string, whose: 'mine' | 'theirs'): RecordDraft {
  const conflicts = without(draft.conflicts, [field])
  return whose === 'mine' ? { ...draft, conflicts } : { ...draft, conflicts, edits: without(draft.edits, [field]) }
}

/**
 * The record was read again; what is written in it stays. At the same version only the addresses of files and the names
 * of related records and of people can be newer, and everything else keeps its identity.
 */
export function refreshed(draft: RecordDraft, current: RecordBody, fields: readonly Field[]): RecordDraft {
  if (current.version < draft.base.version || draft.sending !== null) return draft
  if (current.version > draft.base.version) return withConflicts(draft, current, fields)
  const pointing = fields
    .filter(({ kind }) => kind === 'files' || kind === 'relation' || kind === 'user')
    .map(({ name }) => name)
  const newer = Object.entries(current.values).filter(([name]) => pointing.includes(name))
  return { ...draft, base: { ...current, values: { ...draft.base.values, ...Object.fromEntries(newer) } } }
}

/**
 * A record with edits that were kept from an earlier visit. What was disputed still is. Where another version is stored
 * than the one they were made on, each that says something else is disputed, for nobody knows what it replaced.
 */
export function resumed(base: RecordBody, kept: StoredEdits, fields: readonly Field[]): RecordDraft {
  const asked = kept.version === base.version ? (kept.disputed ?? []) : Object.keys(kept.edits)
  const isAgreed = (name: string) => sameValue(fields, name, kept.edits[name], base.values[name])
  const disputed = asked.filter((name) => Object.hasOwn(kept.edits, name) && !isAgreed(name))
  return {
    ...draftOf(base, without(kept.edits, asked.filter(isAgreed))),
    conflicts: Object.fromEntries(disputed.map((name) => [name, base.values[name]])),
  }
}

/** What is kept of a draft until it is stored. */
export const editsToStore = ({ base, edits, conflicts }: RecordDraft): StoredEdits => ({
  version: base.version,
  edits,
  disputed: Object.keys(conflicts),
})

/** Edits that wait in the browser until they are stored, the version they were made on, and which of them are disputed. */
export type StoredEdits = {
  readonly version: number
  readonly edits: ShownValues
  /** Missing where they were kept by an older page. */
  readonly disputed?: readonly string[]
}

/** Whether anything is not stored yet. */
export const hasUnsavedEdits = (draft: RecordDraft): boolean =>
  Object.keys(draft.edits).length > 0 || Object.keys(draft.errors).length > 0

/** How it stands with saving. */
export function statusOf(draft: RecordDraft): DraftStatus {
  if (draft.sending !== null) return 'saving'
  if (Object.keys(draft.conflicts).length > 0) return 'conflict'
  if (draft.failure !== null) return 'failed'
  if (Object.keys(draft.errors).length > 0 || violationsOf(draft).length > 0) return 'invalid'
  return hasUnsavedEdits(draft) ? 'waiting' : 'saved'
}

function without<Values extends ShownValues>(values: Values, fields: readonly string[]): Values {
  // fromEntries forgets the type of the values, which are those of the input.
  return Object.fromEntries(Object.entries(values).filter(([name]) => !fields.includes(name))) as Values
}

/** Answers name related records and files by id; what is known of them is kept. */
function unexpanded(known: ShownValues, answered: ShownValues): ShownValues {
  const pairs = Object.entries(answered).filter(([name, value]) => isIds(value) && sameIds(known[name], value))
  return Object.fromEntries(pairs.map(([name]) => [name, known[name]]))
}

const isIds = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value)

const idsOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(idsOf)
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}

/** A single one is held as a list of one while it is written. */
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const sameIds = (known: unknown, answered: unknown): boolean =>
  sameJson(asJson(asList(idsOf(known))), asJson(asList(answered)))

/** Values came from JSON or are written as JSON: they are nothing else. */
const asJson = (value: unknown): Json => (value ?? null) as Json

function sameValue(fields: readonly Field[], name: string, left: unknown, right: unknown): boolean {
  const field = fields.find((each) => each.name === name)
  const wire = (value: unknown) => asJson(field ? toWireValue(field, value) : value)
  return sameJson(wire(left), wire(right))
}

/** The newer record, with those values of the older one that say the same: an editor must not be told of a new text. */
function withIdentities(newer: RecordBody, older: RecordBody): RecordBody {
  const same = Object.entries(older.values).filter(([name, value]) =>
    sameJson(asJson(value), asJson(newer.values[name])),
  )
  return { ...newer, values: { ...newer.values, ...Object.fromEntries(same) } }
}
