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

export type ShownValues = { readonly [field: string]: unknown }

/**
 * The state of a record being edited: the server's version, edits and anything that prevents saving. Pure functions;
 * saving is implemented elsewhere.
 */
export type RecordDraft = {
  readonly base: RecordBody
  readonly edits: ShownValues
  readonly sending: ShownValues | null
  /** Errors by field; a rejected value is sent again only after it changes. */
  readonly errors: { readonly [field: string]: string }
  readonly conflicts: ShownValues
  /** Rules that the edits would violate, and the edits that aren't sent because of them. */
  readonly checked: RuleCheck
  /** Rule violations reported by the server; rechecked when a field of the rule changes. */
  readonly refusals: readonly RuleViolation[]
  /** The error if the entire last save failed. */
  readonly failure: { readonly title: string; readonly detail: string } | null
}

export type DraftStatus = 'saved' | 'waiting' | 'saving' | 'invalid' | 'conflict' | 'failed'

export const draftOf = (base: RecordBody, edits: ShownValues = {}): RecordDraft => ({
  base,
  edits,
  sending: null,
  errors: {},
  conflicts: {},
  checked: NO_VIOLATIONS,
  refusals: [],
  failure: null,
})

/** The edited value, or the stored value if there is no edit. */
export const draftValue = (draft: RecordDraft, field: string): unknown =>
  Object.hasOwn(draft.edits, field) ? draft.edits[field] : draft.base.values[field]

export const edited = (draft: RecordDraft, field: string, value: unknown): RecordDraft => ({
  ...draft,
  edits: { ...draft.edits, [field]: value },
  errors: without(draft.errors, [field]),
  refusals: draft.refusals.filter(({ fields }) => !fields.includes(field)),
})

/** Marks invalid input and drops the field's previous edit, which must not be saved. */
export const withInputError = (draft: RecordDraft, field: string, message: string): RecordDraft => ({
  ...draft,
  edits: without(draft.edits, [field]),
  errors: { ...draft.errors, [field]: message },
})

/** Edits that are neither invalid nor conflicting; undefined if there are none. */
export function sendable(draft: RecordDraft): ShownValues | undefined {
  const { errors, conflicts, checked, refusals } = draft
  const broken = refusals.flatMap(({ fields }) => fields)
  const stuck = [...Object.keys(errors), ...Object.keys(conflicts), ...checked.withheld, ...broken]
  const values = without(draft.edits, stuck)
  return Object.keys(values).length === 0 ? undefined : values
}

export const sending = (draft: RecordDraft, values: ShownValues): RecordDraft => ({
  ...draft,
  sending: values,
  failure: null,
})

/** Applies the response to a save. Keeps newer edits and the identity of equal values, so that editors aren't reset. */
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

/** Marks rejected values unless they have changed since they were sent; changed values are sent again. */
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
 * Stops sending the rejected values until a field of the rule changes; rechecks immediately if one has already changed.
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

export function violationsOf({ checked, refusals }: RecordDraft): readonly RuleViolation[] {
  const isSaid = ({ path, message }: RuleViolation) =>
    checked.breaches.some((known) => known.path === path && known.message === message)
  return [...checked.breaches, ...refusals.filter((breach) => !isSaid(breach))]
}

export const errorAt = (draft: RecordDraft, field: string): string | undefined =>
  draft.errors[field] ?? violationAt(violationsOf(draft), field)

export const failed = (draft: RecordDraft, failure: NonNullable<RecordDraft['failure']>): RecordDraft => ({
  ...draft,
  sending: null,
  failure,
})

/**
 * Merges another user's version: fields that both changed to different values are in conflict; other changes are
 * combined.
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

/** The other user's files plus the files added by this user; undefined if this user made any other change. */
function addedToTheirs(base: unknown, mine: unknown, theirs: unknown): readonly unknown[] | undefined {
  const [was, is, other] = [toClientValue('files', base), toClientValue('files', mine), toClientValue('files', theirs)]
  if (was.some(({ id }, at) => is[at]?.id !== id)) return undefined
  return [...other, ...is.slice(was.length).filter(({ id }) => other.every((each) => each.id !== id))]
}

/** Resolves a conflict by sending or discarding the user's own value. */
export function settled(draft: RecordDraft, field: string, whose: 'mine' | 'theirs'): RecordDraft {
  const conflicts = without(draft.conflicts, [field])
  return whose === 'mine' ? { ...draft, conflicts } : { ...draft, conflicts, edits: without(draft.edits, [field]) }
}

/** Applies a reloaded record and keeps edits. If the version is the same, only URLs and names can be newer. */
export function refreshed(draft: RecordDraft, current: RecordBody, fields: readonly Field[]): RecordDraft {
  if (current.version < draft.base.version || draft.sending !== null) return draft
  if (current.version > draft.base.version) return withConflicts(draft, current, fields)
  const pointing = fields
    .filter(({ kind }) => kind === 'files' || kind === 'relation' || kind === 'user')
    .map(({ name }) => name)
  const newer = Object.entries(current.values).filter(([name]) => pointing.includes(name))
  return { ...draft, base: { ...current, values: { ...draft.base.values, ...Object.fromEntries(newer) } } }
}

/** Restores stored edits. If the version has changed, edits that differ from the current values are in conflict. */
export function resumed(base: RecordBody, kept: StoredEdits, fields: readonly Field[]): RecordDraft {
  const requested = kept.version === base.version ? (kept.disputed ?? []) : Object.keys(kept.edits)
  const isAgreed = (name: string) => sameValue(fields, name, kept.edits[name], base.values[name])
  const disputed = requested.filter((name) => Object.hasOwn(kept.edits, name) && !isAgreed(name))
  return {
    ...draftOf(base, without(kept.edits, requested.filter(isAgreed))),
    conflicts: Object.fromEntries(disputed.map((name) => [name, base.values[name]])),
  }
}

export const editsToStore = ({ base, edits, conflicts }: RecordDraft): StoredEdits => ({
  version: base.version,
  edits,
  disputed: Object.keys(conflicts),
})

/** Unsaved edits with the version they are based on, and conflicts. */
export type StoredEdits = {
  readonly version: number
  readonly edits: ShownValues
  /** Missing in data stored by older versions. */
  readonly disputed?: readonly string[]
}

export const hasUnsavedEdits = (draft: RecordDraft): boolean =>
  Object.keys(draft.edits).length > 0 || Object.keys(draft.errors).length > 0

export function statusOf(draft: RecordDraft): DraftStatus {
  if (draft.sending !== null) return 'saving'
  if (Object.keys(draft.conflicts).length > 0) return 'conflict'
  if (draft.failure !== null) return 'failed'
  if (Object.keys(draft.errors).length > 0 || violationsOf(draft).length > 0) return 'invalid'
  return hasUnsavedEdits(draft) ? 'waiting' : 'saved'
}

function without<Values extends ShownValues>(values: Values, fields: readonly string[]): Values {
  // `fromEntries` loses the value types.
  return Object.fromEntries(Object.entries(values).filter(([name]) => !fields.includes(name))) as Values
}

/** Responses contain only ids, so names that are already known are kept. */
function unexpanded(known: ShownValues, answered: ShownValues): ShownValues {
  const pairs = Object.entries(answered).filter(([name, value]) => isIds(value) && sameIds(known[name], value))
  return Object.fromEntries(pairs.map(([name]) => [name, known[name]]))
}

const isIds = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value)

const idsOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(idsOf)
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}

/** Editors represent a single reference as a list. */
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const sameIds = (known: unknown, answered: unknown): boolean =>
  sameJson(asJson(asList(idsOf(known))), asJson(asList(answered)))

/** Record values are always JSON, but typed as `unknown`. */
const asJson = (value: unknown): Json => (value ?? null) as Json

function sameValue(fields: readonly Field[], name: string, left: unknown, right: unknown): boolean {
  const field = fields.find((each) => each.name === name)
  const wire = (value: unknown) => asJson(field ? toWireValue(field, value) : value)
  return sameJson(wire(left), wire(right))
}

/** Preserves the identity of equal values, so that editors aren't reset. */
function withIdentities(newer: RecordBody, older: RecordBody): RecordBody {
  const same = Object.entries(older.values).filter(([name, value]) =>
    sameJson(asJson(value), asJson(newer.values[name])),
  )
  return { ...newer, values: { ...newer.values, ...Object.fromEntries(same) } }
}
