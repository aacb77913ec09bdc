import type { WorkflowBody } from '#api/workflows.ts'
import type { Field } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter.ts'
import type { NoteWish } from '#domain/workflow/workflow.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { t } from '#web/language/t.ts'
import type { CollectionChange } from './collection-queries.ts'

/** A workflow as it is sent. */
export type WorkflowWish = NonNullable<CollectionChange['workflow']>

/** A move as its dialog asks for it. */
export type MoveDraft = {
  readonly name: string
  readonly from: string | null
  readonly to: string | null
  readonly roles: readonly string[]
  readonly when: Filter | null
  readonly note: NoteWish
}

/** A move as it is kept, whoever looks: whoever does not manage the collection is told less of it. */
export type StoredMove = WorkflowBody['transitions'][number]

/** What a new move begins as. */
export const newMove = (from: string | null): MoveDraft => ({
  name: '',
  from,
  to: null,
  roles: [],
  when: null,
  note: 'none',
})

/** A stored move as its dialog asks for it. */
export const moveDraftOf = ({ name, from, to, roles, when, note }: StoredMove): MoveDraft => ({
  name,
  from,
  to,
  roles: roles ?? [],
  when: when ?? null,
  note,
})

/** A stored workflow as it is sent. */
export const wishOf = ({ transitions, states }: WorkflowBody): WorkflowWish => ({
  transitions: transitions.map((move) => ({
    ...moveDraftOf(move),
    id: move.id,
    from: move.from,
    to: move.to,
    roles: [...(move.roles ?? [])],
  })),
  states,
})

/** The state field of a collection; undefined where its records have no states. */
export const stateFieldOf = ({ fields }: KnownCollection): Field<'state'> | undefined =>
  fields.find((field): field is Field<'state'> => field.kind === 'state')

/** A first workflow: one move from each state to the next, which its owner then puts right. */
export function firstWorkflow({ options: { choices } }: Field<'state'>): WorkflowWish {
  const transitions = choices.slice(1).flatMap((to, at) => {
    const from = choices[at]
    return from ? [{ name: to.name, from: from.id, to: to.id, roles: [], when: null, note: 'none' as const }] : []
  })
  return { transitions, states: {} }
}

/** What a move asks for, in a few words: who may take it, when, and with a note or without. */
export function moveWords({ roles, when, note }: MoveDraft, nameOf: (role: string) => string): string {
  const who = roles.length === 0 ? t('Everybody who may move records') : roles.map(nameOf).join(', ')
  const notes = { none: [], optional: [t('note if wanted')], required: [t('note needed')] }[note]
  return [who, ...(when === null ? [] : [t('only some records')]), ...notes].join(' · ')
}
