import { type Comparison, pathsOf } from '#tests/access-oracle/generate/condition.ts'
import { collectionIn, comparisonsIn } from './evaluate-condition.ts'
import { RIGHTS, type Viewpoint, type WorldGrant } from './viewpoint.ts'
import {
  NO_RULES,
  type World,
  type WorldCollection,
  type WorldField,
  type WorldRule,
  type WorldState,
} from '#tests/access-oracle/world/world.ts'

export type ShownDefinition = {
  readonly name: string
  readonly can: readonly string[]
  readonly fields: readonly string[]
  readonly titleField: string | null
  readonly rules: readonly string[]
  readonly moves: readonly string[]
  readonly states: Readonly<Record<string, WorldState>>
  readonly closed: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const readsOf = ({ grants }: Viewpoint, name: string): readonly WorldGrant[] => grants.get(name)?.read ?? []

export function definitionFor(world: World, viewpoint: Viewpoint, home: WorldCollection): ShownDefinition {
  const { name, title, laws } = home
  const isManaged = viewpoint.manages.has(name)
  const fields = home.fields.filter((field) => isManaged || isSeen(readsOf(viewpoint, name), field.name))
  const isShown = (field: string): boolean => fields.some((one) => one.name === field)
  const workflow = laws.workflow && isShown(laws.workflow.field) ? laws.workflow : null
  const held = RIGHTS.filter((right) => viewpoint.grants.get(name)?.[right].length).map((right) => `records:${right}`)
  return {
    name,
    can: [
      ...held,
      ...(isManaged ? ['collections:manage'] : []),
      ...(viewpoint.readsAudit ? ['audit:read'] : []),
    ].toSorted(),
    fields: fields.map((field) => field.name).toSorted(),
    titleField: title !== null && isShown(title) ? title : null,
    rules: laws.rules
      .filter((rule) => isRuleShown(world, viewpoint, home, rule))
      .map(({ message }) => message)
      .toSorted(),
    moves: (workflow?.moves ?? []).map((move) => move.name).toSorted(),
    states: Object.fromEntries(
      Object.entries(workflow?.states ?? {}).map(([state, { required, frozen }]) => [
        state,
        {
          required: required.filter(isShown).toSorted(),
          frozen: frozen === 'all' ? frozen : frozen.filter(isShown).toSorted(),
        },
      ]),
    ),
    closed: closedIn(viewpoint, name, fields),
  }
}

const isSeen = (grants: readonly WorldGrant[], field: string): boolean =>
  grants.some(({ hidden }) => !hidden.includes(field))

function closedIn(viewpoint: Viewpoint, name: string, fields: readonly WorldField[]): ShownDefinition['closed'] {
  const closed = fields.map((field) => {
    const ways = (['read', 'create', 'update'] as const).flatMap((right) => {
      const grants = viewpoint.grants.get(name)?.[right] ?? []
      const said = grants.length === 0 ? undefined : restrictionOf(grants, field.name)
      return said === undefined || (right === 'read' && said === 'wholly') ? [] : [[right, said]]
    })
    return [field.name, Object.fromEntries(ways)] as const
  })
  return Object.fromEntries(closed.filter(([, ways]) => Object.keys(ways).length > 0))
}

/** A field is partly hidden if a record is covered by grants that don't allow the field. */
export function restrictionOf(grants: readonly WorldGrant[], field: string): 'partly' | 'wholly' | undefined {
  const opening = grants.filter(({ hidden }) => !hidden.includes(field))
  if (opening.length === 0) return 'wholly'
  if (opening.some(({ where }) => !where)) return undefined
  const isReached = (grant: WorldGrant): boolean =>
    opening.some(({ where }) => JSON.stringify(where) === JSON.stringify(grant.where))
  return grants.every(isReached) ? undefined : 'partly'
}

/**
 * Whether a rule is shown in the definition. Managers see rules on fields that they manage even if they can't read
 * them.
 */
export function isRuleShown(world: World, viewpoint: Viewpoint, home: WorldCollection, rule: WorldRule): boolean {
  if (!viewpoint.manages.has(home.name)) return isRuleDisclosed(world, viewpoint, home, rule)
  return comparisonsOf(rule)
    .flatMap(pathsOf)
    .every((path) =>
      stepsOf(world, home, path).every(
        // Includes paths that lead back into the same collection.
        ({ there, name }) => there === home.name || isSeen(readsOf(viewpoint, there), name),
      ),
    )
}

/**
 * Whether the user can see which records violate a rule: this requires reading all its fields in all records, and for
 * relations, in all related records.
 */
export function isRuleDisclosed(world: World, viewpoint: Viewpoint, home: WorldCollection, rule: WorldRule): boolean {
  const read = comparisonsOf(rule).flatMap((one) => pathsOf(one).map((path) => ({ path, op: one.op })))
  return read.every(({ path, op }) => {
    const steps = stepsOf(world, home, path)
    const last = steps.at(-1)?.field
    const readsText = op === '~' || op === '!~' || op === '^=' || op === '$='
    const title = readsText && last?.kind === 'relation' ? [titleOf(world, last.target)] : []
    if (!steps.every(({ field }) => areLinksDisclosed(viewpoint, field))) return false
    return [...steps, ...title].every(({ there, name }, at) => {
      const grants = readsOf(viewpoint, there)
      if (grants.length === 0 || (at > 0 && grants.every(({ where }) => where))) return false
      return name === null || (isSeen(grants, name) && restrictionOf(grants, name) === undefined)
    })
  })
}

/** The links of a reverse side are values of its relation, in all records of the target. */
function areLinksDisclosed(viewpoint: Viewpoint, field: WorldField | undefined): boolean {
  if (field?.reverse === undefined) return true
  const grants = readsOf(viewpoint, field.target)
  return grants.some(({ where }) => !where) && restrictionOf(grants, field.reverse) === undefined
}

const comparisonsOf = ({ when, then }: WorldRule): readonly Comparison[] => [
  ...(when ? comparisonsIn(when) : []),
  ...comparisonsIn(then),
]

type Step = { readonly there: string; readonly name: string; readonly field: WorldField | undefined }

function stepsOf(world: World, home: WorldCollection, path: string): readonly Step[] {
  let here: WorldCollection | undefined = home
  return path.split('.').map((name) => {
    const there = here?.name ?? ''
    const field: WorldField | undefined = here?.fields.find((one) => one.name === name)
    here = field && collectionIn(world, field.target)
    return { there, name, field }
  })
}

const titleOf = (world: World, target: string) => ({ there: target, name: collectionIn(world, target)?.title ?? null })

export function managedWorld(world: World, viewpoint: Viewpoint): World {
  const managed = world.collections.filter(({ name }) => viewpoint.manages.has(name))
  return {
    ...world,
    collections: managed.map((home) => {
      const rules = home.laws.rules.filter((rule) => isRuleShown(world, viewpoint, home, rule))
      return { ...home, records: [], laws: { ...NO_RULES, rules, workflow: home.laws.workflow } }
    }),
  }
}
