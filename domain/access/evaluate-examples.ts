import type { Filter } from '#domain/query/filter.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Decided } from './decide.ts'
import type { Example, ExampleWho } from './example.ts'
import { explain, type Explanation, type Holder } from './explain.ts'
import type { AccessRules, Policy } from './policy.ts'

/** What an example is evaluated against. A deleted user, role or collection is undefined. */
export type ExampleContext = {
  readonly rules: AccessRules
  readonly holderOf: (who: ExampleWho) => Holder | undefined
  readonly collectionOf: (id: CollectionId) => Decided | undefined
  /** Whether a condition describes the record of an example, as whom it is about reads it. */
  readonly coversOf: (example: Example) => ((where: Filter) => boolean) | undefined
}

/** `stale`: the example refers to something that was deleted. */
export type ExampleResult =
  | { readonly type: 'holds' | 'stale' }
  | { readonly type: 'broken'; readonly explanation: Explanation }

/** Whether an example holds. */
export function evaluateExample(example: Example, ground: ExampleContext): ExampleResult {
  const { permission, field, record } = example
  const holder = ground.holderOf(example.who)
  const collection = example.collection === null ? null : ground.collectionOf(example.collection)
  const covers = record === null ? undefined : ground.coversOf(example)
  const isGone =
    holder === undefined ||
    collection === undefined ||
    (record !== null && covers === undefined) ||
    (field !== null && collection?.fields.some(({ id }) => id === field) !== true)
  if (isGone) return { type: 'stale' }

  const explanation = explain(ground.rules, holder, { permission, collection, field: field ?? undefined, covers })
  return (explanation.may !== 'no') === example.may ? { type: 'holds' } : { type: 'broken', explanation }
}

/** An example that does not hold, and the policy it was saved with. */
export type BrokenExample = {
  readonly policy: Policy
  readonly example: Example
  readonly explanation: Explanation
}

/** Every example that does not hold, of all policies. */
export function brokenExamples(ground: ExampleContext): readonly BrokenExample[] {
  return [...ground.rules.policies.values()].flatMap((policy) =>
    policy.examples.flatMap((example) => {
      const verdict = evaluateExample(example, ground)
      return verdict.type === 'broken' ? [{ policy, example, explanation: verdict.explanation }] : []
    }),
  )
}
