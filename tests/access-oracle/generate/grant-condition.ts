import { type Comparison, type Condition, isOtherField, markersOf } from './condition.ts'
import type { Random } from './random.ts'
import { randomCondition } from './random-condition.ts'
import { comparisonsIn, fieldAt } from '#tests/access-oracle/expect/evaluate-condition.ts'
import type { Kind, World, WorldCollection } from '#tests/access-oracle/world/world.ts'

const OPTIONS: ReadonlySet<Kind> = new Set(['select', 'multi-select', 'state'])
/** Kinds whose values are other things, with names that change without anybody thinking of grants. */
const NAMED: ReadonlySet<Kind> = new Set([...OPTIONS, 'user', 'relation', 'files'])

/** How often a condition is drawn until it is one that is wanted. */
const TRIES = 20

/** Draws a condition that no grant may have; undefined where none was found. */
export function randomLooseCondition(draw: Random, world: World, home: WorldCollection): Condition | undefined {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const condition = randomCondition(draw, world, home, { depth: 1 })
    if (isLoose(world, home, condition)) return condition
  }
  return undefined
}

/** Whether names or the order of options decide which records a condition describes, or what is missing opens some. */
const isLoose = (world: World, home: WorldCollection, condition: Condition): boolean =>
  comparisonsIn(condition).some((one) => isLooseComparison(world, home, one))

function isLooseComparison(world: World, home: WorldCollection, comparison: Comparison): boolean {
  const { field: path, op, value } = comparison
  if (op === '!=' && markersOf(comparison).some((marker) => marker.startsWith('@me.'))) return true
  const left = fieldAt(world, home, path)
  if (!left || !NAMED.has(left.field.kind)) return false
  if (/[~^$]/.test(op)) return true
  if (!OPTIONS.has(left.field.kind)) return false
  const right = isOtherField(value) ? fieldAt(world, home, value.field) : undefined
  const isOfTwo = right !== undefined && (right.home !== left.home || right.field.name !== left.field.name)
  return isOfTwo || /^(?:[<>]|between)/.test(op)
}
