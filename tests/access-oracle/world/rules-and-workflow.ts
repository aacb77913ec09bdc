import type { Answer, Caller } from '#tests/support/server/test-app.ts'
import type { BuiltWorld } from './build-world.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { randomCondition, printCondition } from '#tests/access-oracle/generate/random-condition.ts'
import { ZONES } from '#tests/access-oracle/expect/viewpoint.ts'
import { storedFields } from './virtual-fields.ts'
import {
  OPTIONS,
  type Rules,
  type Marks,
  type World,
  type WorldCollection,
  type WorldTransition,
  type WorldState,
} from './world.ts'

export function randomRules(draw: Random, world: World, marks: Marks): World {
  const collections = world.collections.map((home) => {
    const rules = draw.some([1, 2], 2).map(() => ({
      id: '',
      when: draw.chance(0.6) ? randomCondition(draw, world, home, { depth: 1 }) : null,
      then: randomCondition(draw, world, home, { depth: 1 }),
      message: `Mind ${marks.next()}.`,
    }))
    return { ...home, laws: { rules: draw.chance(0.5) ? rules : [], workflow: drawWorkflow(draw, world, home, marks) } }
  })
  return { ...world, collections }
}

function drawWorkflow(draw: Random, world: World, home: WorldCollection, marks: Marks): Rules['workflow'] {
  const field = home.fields.find(({ kind }) => kind === 'state')
  if (!field || draw.chance(0.3)) return null
  const pairs = OPTIONS.flatMap((from) => OPTIONS.filter((to) => to !== from).map((to) => ({ from, to })))
  const moves = pairs
    .filter(() => draw.chance(0.6))
    .map(
      ({ from, to }): WorldTransition => ({
        name: `Go ${marks.next()}`,
        from,
        to,
        when: draw.chance(0.3) ? randomCondition(draw, world, home, { depth: 1 }) : null,
        isMine: draw.chance(0.8),
        needsNote: draw.chance(0.25),
      }),
    )
  const others = storedFields(home)
    .filter((one) => one !== field && one.kind !== 'checkbox')
    .map(({ name }) => name)
  const states = OPTIONS.map((choice): [string, WorldState] => [
    choice,
    {
      required: draw.chance(0.3) ? draw.some(others, 1) : [],
      frozen: draw.chance(0.15) ? 'all' : draw.chance(0.4) ? draw.some(others, 2) : [],
    },
  ])
  return { field: field.name, moves, states: Object.fromEntries(states) }
}

export async function createRules(owner: Caller, built: BuiltWorld): Promise<BuiltWorld> {
  const collections: WorldCollection[] = []
  for (const home of built.world.collections) {
    const path = `/api/collections/${home.name}`
    const { rules, workflow } = home.laws
    const definition = (await owner.get(path)).body
    const { rules: made = [] }: { readonly rules?: readonly RuleBody[] } = await accepted(
      owner.patch(path, {
        rules: rules.map(({ when, then, message }) => ({
          when: when && printCondition(when),
          then: printCondition(then),
          message,
        })),
        ...(workflow && { workflow: workflowInput(built, home, definition) }),
      }),
    )
    const idOf = (message: string): string => made.find((rule) => rule.message === message)?.id ?? ''
    const known = rules.map((rule) => ({ ...rule, id: idOf(rule.message) }))
    collections.push({ ...home, laws: { rules: known, workflow } })
  }
  return { ...built, world: { ...built.world, collections } }
}

type RuleBody = { readonly id: string; readonly message: string }

type Definition = {
  readonly fields: readonly { readonly name: string; readonly options: { readonly choices?: Choices } }[]
}
type Choices = readonly { readonly id: string; readonly name: string }[]

function workflowInput(built: BuiltWorld, home: WorldCollection, { fields }: Definition): object {
  const { workflow } = home.laws
  if (!workflow) return {}
  const choices = fields.find(({ name }) => name === workflow.field)?.options.choices ?? []
  const idOf = (choice: string): string => choices.find(({ name }) => name === choice)?.id ?? ''
  const fieldIds = (names: readonly string[]): string[] => names.map((name) => built.fieldIdOf(home.name, name))
  return {
    transitions: workflow.moves.map(({ name, from, to, when, isMine, needsNote }) => ({
      name,
      from: idOf(from),
      to: idOf(to),
      when: when && printCondition(when),
      roles: isMine ? [] : ['owner'],
      note: needsNote ? 'required' : 'optional',
    })),
    states: Object.fromEntries(
      Object.entries(workflow.states).map(([choice, { required, frozen }]) => [
        idOf(choice),
        { requiredToLeave: fieldIds(required), frozen: frozen === 'all' ? frozen : fieldIds(frozen) },
      ]),
    ),
  }
}

async function accepted(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, text, body } = await answer
  if (status !== 200) throw new Error(`The oracle could not give its world laws: ${text}`)
  return body
}

export async function setTimeZone(owner: Caller, draw: Random, world: World): Promise<World> {
  const zone = draw.one(ZONES)
  await accepted(owner.patch('/api/workspace/time-zone', { timeZone: zone }))
  return { ...world, zone }
}
