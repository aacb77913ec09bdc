import { type Comparison, type Condition, isOtherField, markersOf } from './condition.ts'
import type { Random } from './random.ts'
import { randomCondition } from './random-condition.ts'
import { comparisonsIn, fieldAt } from '#tests/access-oracle/expect/evaluate-condition.ts'
import type { Kind, World, WorldCollection } from '#tests/access-oracle/world/world.ts'

const OPTIONS: ReadonlySet<Kind> = new Set(['select', 'multi-select', 'state'])
const NAMED: ReadonlySet<Kind> = new Set([...OPTIONS, 'user', 'relation', 'files'])

/** Maximum attempts to generate a suitable condition. */
const TRIES = 20

export function randomLooseCondition(draw: Random, world: World, home: WorldCollection): Condition | undefined {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const condition = randomCondition(draw, world, home, { depth: 1 })
    if (isLoose(world, home, condition)) return condition
  }
  return undefined
}

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
