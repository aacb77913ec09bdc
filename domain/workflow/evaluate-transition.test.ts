import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { fail, ok } from '#domain/shared/result.ts'
import { checkWorkflow, type WorkflowDraft, withoutRemoved } from './check-workflow.ts'
import {
  evaluateTransition,
  statusBefore,
  transitionsFrom,
  UNDO_TRANSITION_MS,
  waitingStates,
} from './evaluate-transition.ts'
import { frozenFields, type Workflow } from './workflow.ts'

const plain = { required: false, unique: false, default: null }
const state: Field<'state'> = {
  ...plain,
  id: 'state',
  name: 'state',
  label: 'State',
  kind: 'state',
  options: {
    choices: [
      { id: 'draft', name: 'Draft', color: 'gray' },
      { id: 'review', name: 'In review', color: 'blue' },
      { id: 'final', name: 'Final', color: 'green' },
    ],
  },
}
const text = (id: string): Field<'text'> => ({ ...plain, id, name: id, label: id, kind: 'text', options: {} })
const papers: Collection = {
  id: 'papers',
  name: 'papers',
  label: 'Papers',
  fields: [text('title'), text('reviewer'), state],
  titleField: 'title',
  version: 1,
}

const submit = { name: 'Submit', from: 'draft', to: 'review', roles: [], when: null, note: 'none' } as const
const publish = {
  name: 'Publish',
  from: 'review',
  to: 'final',
  roles: ['chief'],
  when: null,
  note: 'required',
} as const
const draft: WorkflowDraft = {
  transitions: [submit, publish],
  states: {
    draft: { requiredToLeave: ['reviewer'], frozen: [] },
    final: { requiredToLeave: [], frozen: 'all' },
  },
}
const context = {
  collection: papers,
  newId: () => 'new',
  knownRoles: new Set(['chief', 'writer']),
  checkCondition: (condition: string | Filter | null) =>
    typeof condition === 'string' ? fail('Only trees.') : ok(condition),
  canRead: () => true,
}
const checked = (wanted: WorkflowDraft) => checkWorkflow(wanted, context)
const made = checked(draft)
if (!made.ok) throw new Error('The workflow of this test does not fit.')
const workflow: Workflow = made.value

const at = (place: string, reviewer: string | null = null) => ({ values: { title: 'T', reviewer, state: place } })
function result(record: ReturnType<typeof at>, to: string, roles: readonly string[] = [], note?: string): string {
  const outcome = evaluateTransition(papers, workflow, record, { actor: { roles }, request: { to, note } })
  return outcome.ok ? outcome.value.name : outcome.fault.code
}

describe('a transition', () => {
  const reviewed = at('draft', 'Ana')

  it.each([
    ['leads along a transition', result(reviewed, 'review'), 'Submit'],
    ['waits for the fields its state wants', result(at('draft'), 'review'), 'fields-missing'],
    ['leads nowhere without a transition', result(reviewed, 'final', ['chief'], 'ok'), 'no-transition'],
    ['never leads to where the record is', result(reviewed, 'draft'), 'already-there'],
    ['is for the roles it names', result(at('review'), 'final', ['writer'], 'Good'), 'not-your-role'],
    ['wants its note', result(at('review'), 'final', ['chief'], '  '), 'note-missing'],
    ['is taken with its note', result(at('review'), 'final', ['writer', 'chief'], 'Good'), 'Publish'],
    ['leads out of an end to nowhere', result(at('final'), 'draft', ['chief'], 'Back'), 'no-transition'],
  ])('%s', (_, outcome, expected) => {
    expect(outcome).toBe(expected)
  })

  it('by the system ignores roles but follows the workflow', () => {
    const move = (to: string) =>
      evaluateTransition(papers, workflow, at('review'), { actor: 'anyone', request: { to, note: 'x' } })
    expect(move('final').ok).toBe(true)
    expect(move('draft').ok).toBe(false)
  })

  it('is listed unless it is blocked by a condition that the user can’t change', () => {
    const roles = fc.subarray(['chief', 'writer'])
    const record = fc.record({
      place: fc.constantFrom('draft', 'review', 'final'),
      reviewer: fc.option(fc.constant('A')),
    })
    fc.assert(
      fc.property(roles, record, fc.constantFrom('draft', 'review', 'final'), (mine, { place, reviewer }, to) => {
        const offered = transitionsFrom(workflow, at(place, reviewer).values, { roles: mine }).some(
          (one) => one.to === to,
        )
        const outcome = evaluateTransition(papers, workflow, at(place, reviewer), {
          actor: { roles: mine },
          request: { to },
        })
        const mendable = outcome.ok || ['fields-missing', 'note-missing'].includes(outcome.fault.code)
        expect(offered).toBe(mendable)
      }),
    )
  })
})

describe('to-do statuses', () => {
  const open = { ...submit, id: 'open', roles: [], when: null }
  const chiefly = { ...submit, id: 'chiefly', from: 'review', to: 'final', roles: ['chief'] }
  const way: Workflow = { ...workflow, transitions: [open, chiefly] }
  const statesOf = (roles: readonly string[]) => {
    const { forRoles, forNamed } = waitingStates(way, roles)
    return { forRoles: [...forRoles.keys()], forNamed: [...forNamed.keys()] }
  }

  it('have a transition for the user’s role or, in records that name the user, one open to everyone', () => {
    expect(statesOf(['chief'])).toEqual({ forRoles: ['review'], forNamed: ['draft'] })
    expect(statesOf(['writer'])).toEqual({ forRoles: [], forNamed: ['draft'] })
  })

  it('combine the conditions of their transitions, or have none if a transition is unconditional', () => {
    const when: Filter = { field: 'reviewer', op: '=', value: 'A' }
    const conditional = { ...chiefly, id: 'back', to: 'draft', when }
    const conditionOf = (...transitions: Workflow['transitions']) =>
      waitingStates({ ...way, transitions }, ['chief']).forRoles.get('review')
    expect(conditionOf(conditional)).toEqual(when)
    expect(conditionOf(conditional, chiefly)).toBeNull()
  })
})

describe('undoing a status change', () => {
  const at = '2026-11-27T12:00:00.000Z'
  const last = { at, userId: 'ana', from: 'draft', to: 'review' }
  const by = (more: Partial<typeof last> = {}, waitedMs = 0) => ({
    last: { ...last, ...more },
    previous: undefined,
    userId: 'ana',
    now: new Date(Date.parse(at) + waitedMs),
  })

  it('restores the previous status', () => {
    expect(statusBefore(state, 'review', by({}, UNDO_TRANSITION_MS))).toBe('draft')
  })

  it.each([
    ['another user made it', 'review', by({ userId: 'ben' })],
    ['the record has moved on', 'final', by()],
    ['the status was deleted', 'review', by({ from: 'gone' })],
    ['it is too long ago', 'review', by({}, UNDO_TRANSITION_MS + 1)],
    ['there is none', 'review', { ...by(), last: undefined }],
    ['it was an undo', 'review', { ...by(), previous: { ...last, from: 'review', to: 'draft' } }],
  ])('is refused if %s', (_, current, request) => {
    expect(statusBefore(state, current, request)).toBeUndefined()
  })
})

describe('a state', () => {
  it('locks fields, but never the status', () => {
    expect(frozenFields(workflow, 'final', papers.fields).map(({ id }) => id)).toEqual(['title', 'reviewer'])
    expect(frozenFields(workflow, 'draft', papers.fields)).toEqual([])
  })
})

describe('a workflow', () => {
  const codes = (wanted: Partial<WorkflowDraft>): string[] => {
    const outcome = checked({ ...draft, ...wanted })
    return outcome.ok ? [] : outcome.fault.map(({ path, code }) => `${path} ${code}`)
  }

  it.each([
    ['a state that is not there', { transitions: [{ ...submit, to: 'gone' }] }, ['transitions.0.to unknown-state']],
    ['a move to itself', { transitions: [{ ...submit, to: 'draft' }] }, ['transitions.0.to same-state']],
    ['a role that is not there', { transitions: [{ ...submit, roles: ['x'] }] }, ['transitions.0.roles unknown-role']],
    ['a move without a name', { transitions: [{ ...submit, name: ' ' }] }, ['transitions.0.name required']],
    [
      'two moves between the same states',
      { transitions: [submit, { ...submit, name: 'Hand in' }] },
      ['transitions.1.to second-transition'],
    ],
    [
      'two moves away with one name',
      { transitions: [submit, { ...submit, to: 'final', name: 'SUBMIT' }] },
      ['transitions.1.name name-taken'],
    ],
    [
      'a field that is not there',
      { states: { draft: { requiredToLeave: ['x'], frozen: ['y'] } } },
      ['states.draft.requiredToLeave unknown-field', 'states.draft.frozen unknown-field'],
    ],
  ] as const)('is rejected with %s', (_, wanted, expected) => {
    expect(codes(wanted)).toEqual(expected)
  })

  it('is rejected with an invalid condition', () => {
    const outcome = checkWorkflow(
      { ...draft, transitions: [{ ...submit, when: { field: 'x', op: '=', value: 1 } }] },
      { ...context, checkCondition: () => fail('There is no field “x”.') },
    )
    expect(outcome).toMatchObject({ ok: false, fault: [{ path: 'transitions.0.when', code: 'invalid-filter' }] })
  })

  it('requires a status field', () => {
    const stateless = { ...context, collection: { ...papers, fields: [text('title')] } }
    expect(checkWorkflow(draft, stateless)).toMatchObject({ ok: false, fault: [{ code: 'no-state' }] })
  })

  it('loses references to deleted fields', () => {
    const left = { ...papers, fields: papers.fields.filter(({ id }) => id !== 'reviewer') }
    expect(withoutRemoved(workflow, left)?.states['draft']).toEqual({ requiredToLeave: [], frozen: [] })
    expect(withoutRemoved(workflow, { ...papers, fields: [text('title')] })).toBeUndefined()
  })
})
