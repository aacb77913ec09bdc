import { type Condition, isOtherField, type Literal, markersOf } from '#tests/access-oracle/generate/condition.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { comparisonsIn, fieldAt } from '#tests/access-oracle/expect/evaluate-condition.ts'
import type { Outcome } from './write.ts'
import { differencesOfAccess } from './lookalike-names.ts'
import {
  visibleWorld,
  eachRight,
  type Granted,
  RIGHTS,
  type Viewpoint,
  type WorldGrant,
} from '#tests/access-oracle/expect/viewpoint.ts'
import type { Visit } from './visit.ts'
import { settled } from '#tests/access-oracle/world/virtual-fields.ts'
import { grantsFor } from '#tests/access-oracle/world/visitors.ts'
import {
  OPTIONS,
  optionsOf,
  TEAMS,
  type World,
  type WorldCollection,
  type WorldField,
  type WorldValue,
} from '#tests/access-oracle/world/world.ts'

type Option = { readonly id: string; readonly name: string; readonly color: string }
type Body = {
  readonly fields: readonly { readonly name: string; readonly options: { readonly choices: readonly Option[] } }[]
}

/**
 * The owner reorders a field's options or swaps two names. Neither may change permissions, because conditions refer to
 * option IDs.
 */
export async function checkOptionChanges(visit: Visit, world: World): Promise<Outcome | undefined> {
  const { viewpoint, way, draw } = visit
  const homes = world.collections.filter(({ fields }) => fields.some(hasOptions))
  if (homes.length === 0) return undefined
  const home = draw.one(homes)
  const field = draw.one(home.fields.filter(hasOptions))
  const isRenamed = draw.chance(0.5)
  if (isRenamed && way === 'granted' && isReadByName(world, viewpoint, home, field)) return undefined
  return change(visit, world, { home, field, named: drawSwap(draw) }, isRenamed)
}

function drawSwap(draw: Random): Renaming['named'] {
  const one = draw.one(OPTIONS)
  const other = draw.one(OPTIONS.filter((choice) => choice !== one))
  return (name) => (name === one ? other : name === other ? one : name)
}

async function change(visit: Visit, world: World, swap: Renaming, isRenamed: boolean): Promise<Outcome> {
  const { owner, viewpoint } = visit
  const { home, field, named } = swap
  const options = optionsOf(field).map(named)
  const path = `/api/collections/${home.name}`
  const { fields }: Body = (await owner.get(path)).body
  const known = fields.find(({ name }) => name === field.name)?.options.choices ?? []
  const wanted = isRenamed
    ? known.map((option) => ({ ...option, name: named(option.name) }))
    : options.flatMap((name) => known.find((option) => option.name === name) ?? [])
  const { status, body, text } = await owner.patch(`${path}/fields/${field.name}`, { options: { choices: wanted } })

  const requested = `PATCH ${path}/fields/${field.name} ${JSON.stringify(wanted.map(({ name }) => name))}`
  visit.count(`${isRenamed ? 'rename' : 're-order'} options, ${status < 400 ? 'taken' : 'refused'}`)
  // A rename is rejected only if a policy refers to options by name.
  if (isRenamed && status === 409 && body.code === 'in-use') return { world, differences: [] }
  if (status >= 400) return { world, differences: [{ requested, expected: 200, found: text }] }
  const renaming: Renaming = isRenamed ? swap : { ...swap, named: (name) => name }
  const after = renamed(world, renaming, options)
  const granted = grantsRenamed(world, viewpoint, renaming)
  if (visit.way === 'granted') visit.visitors.grant(grantsFor(granted, visit.built))
  const differences = differencesOfAccess(requested, visibleWorld(world, viewpoint), visibleWorld(after, granted))
  return { world: after, viewpoint: granted, differences }
}

const hasOptions = ({ kind }: WorldField): boolean => kind === 'select' || kind === 'multi-select' || kind === 'state'

type Renaming = {
  readonly home: WorldCollection
  readonly field: WorldField
  readonly named: (name: string) => string
}

function renamed(world: World, renaming: Renaming, options: readonly string[]): World {
  const { home, field, named } = renaming
  const inCondition = (at: WorldCollection, condition: Condition): Condition =>
    conditionRenamed(world, at, condition, renaming)
  const collections = world.collections.map((at): WorldCollection => {
    const isHere = at.name === home.name
    const { rules, workflow } = at.laws
    const isState = isHere && workflow?.field === field.name
    const ofState = isState ? named : (name: string): string => name
    return {
      ...at,
      fields: at.fields.map((one) => (isHere && one.name === field.name ? { ...one, options } : one)),
      records: isHere
        ? at.records.map((record) => ({ ...record, values: valuesRenamed(record.values, field, named) }))
        : at.records,
      laws: {
        rules: rules.map((rule) => ({
          ...rule,
          when: rule.when && inCondition(at, rule.when),
          then: inCondition(at, rule.then),
        })),
        workflow: workflow && {
          ...workflow,
          moves: workflow.moves.map((move) => ({
            ...move,
            from: ofState(move.from),
            to: ofState(move.to),
            when: move.when && inCondition(at, move.when),
          })),
          states: Object.fromEntries(Object.entries(workflow.states).map(([state, said]) => [ofState(state), said])),
        },
      },
    }
  })
  const views = new Map(
    [...world.views].map(([name, shared]) => {
      const at = world.collections.find((one) => one.name === name)
      return [
        name,
        shared.map((view) => ({
          ...view,
          condition: at && view.condition ? inCondition(at, view.condition) : view.condition,
        })),
      ] as const
    }),
  )
  return settled({ ...world, collections, views })
}

function valuesRenamed(
  values: Readonly<Record<string, WorldValue>>,
  { name }: WorldField,
  named: (option: string) => string,
): Readonly<Record<string, WorldValue>> {
  const value = values[name]
  if (value === undefined || value === null) return values
  const next = typeof value === 'object' ? value.map(named) : named(String(value))
  return { ...values, [name]: next }
}

function conditionRenamed(world: World, at: WorldCollection, condition: Condition, renaming: Renaming): Condition {
  if ('all' in condition) return { all: condition.all.map((part) => conditionRenamed(world, at, part, renaming)) }
  if ('any' in condition) return { any: condition.any.map((part) => conditionRenamed(world, at, part, renaming)) }
  const { field, op, value } = condition
  if (value === undefined || isOtherField(value) || /[~^$]/.test(op) || !isMeant(world, at, field, renaming))
    return condition
  const say = (literal: Literal): Literal => (typeof literal === 'string' ? renaming.named(literal) : literal)
  return { ...condition, value: Array.isArray(value) ? value.map(say) : say(value as Literal) }
}

function isMeant(
  world: World,
  at: WorldCollection,
  path: string,
  { home, field }: Pick<Renaming, 'home' | 'field'>,
): boolean {
  const last = fieldAt(world, at, path)
  return last?.home === home.name && last.field.name === field.name
}

function grantsRenamed(world: World, viewpoint: Viewpoint, renaming: Renaming): Viewpoint {
  const grants = [...viewpoint.grants].map(([name, granted]): [string, Granted] => {
    const at = world.collections.find((one) => one.name === name)
    const said = (grant: WorldGrant): WorldGrant =>
      at && grant.where ? { ...grant, where: conditionRenamed(world, at, grant.where, renaming) } : grant
    return [name, eachRight((right) => granted[right].map(said))]
  })
  return { ...viewpoint, grants: new Map(grants) }
}

function isReadByName(world: World, { grants }: Viewpoint, home: WorldCollection, field: WorldField): boolean {
  return [...grants].some(([name, granted]) => {
    const at = world.collections.find((one) => one.name === name)
    const conditions = RIGHTS.flatMap((right) => granted[right].flatMap(({ where }) => where ?? []))
    return conditions.flatMap(comparisonsIn).some((comparison) => {
      const isByName = /[~^$]/.test(comparison.op) || markersOf(comparison).includes(`@me.${TEAMS}`)
      return isByName && at !== undefined && isMeant(world, at, comparison.field, { home, field })
    })
  })
}
