import type { WorkflowBody } from '#api/workflows.ts'
import type { Field } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { NoteRequirement } from '#domain/workflow/workflow.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'
import type { CollectionChange } from '#web/features/schema/collection/collection-queries.ts'

export type WorkflowInput = NonNullable<CollectionChange['workflow']>

export type TransitionDraft = {
  readonly name: string
  readonly from: string | null
  readonly to: string | null
  readonly roles: readonly string[]
  readonly when: Filter | null
  readonly note: NoteRequirement
}

/** Users who can't manage the collection get fewer details. */
export type StoredTransition = WorkflowBody['transitions'][number]

export const newTransition = (from: string | null): TransitionDraft => ({
  name: '',
  from,
  to: null,
  roles: [],
  when: null,
  note: 'none',
})

export const transitionDraftOf = ({ name, from, to, roles, when, note }: StoredTransition): TransitionDraft => ({
  name,
  from,
  to,
  roles: roles ?? [],
  when: when ?? null,
  note,
})

export const workflowInputOf = ({ transitions, states }: WorkflowBody): WorkflowInput => ({
  transitions: transitions.map((move) => ({
    ...transitionDraftOf(move),
    id: move.id,
    from: move.from,
    to: move.to,
    roles: [...(move.roles ?? [])],
  })),
  states,
})

/** Undefined without a status field. */
export const stateFieldOf = ({ fields }: TypedCollection): Field<'state'> | undefined =>
  fields.find((field): field is Field<'state'> => field.kind === 'state')

/** One transition per status to the next, as a starting point. */
export function firstWorkflow({ options: { choices } }: Field<'state'>): WorkflowInput {
  const transitions = choices.slice(1).flatMap((to, at) => {
    const from = choices[at]
    return from ? [{ name: to.name, from: from.id, to: to.id, roles: [], when: null, note: 'none' as const }] : []
  })
  return { transitions, states: {} }
}

export function describeTransition({ roles, when, note }: TransitionDraft, nameOf: (role: string) => string): string {
  const who = roles.length === 0 ? t('Everyone who can change status') : roles.map(nameOf).join(', ')
  const notes = { none: [], optional: [t('optional comment')], required: [t('required comment')] }[note]
  return [who, ...(when === null ? [] : [t('conditional')]), ...notes].join(' · ')
}
