import type { Filter } from '#domain/query/filter.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { AccessTarget } from './decide.ts'
import type { AccessRules, Example, ExampleWho, Policy } from './policy.ts'
import { explain, type Explanation, type Holder } from './explain.ts'

/** What an example is evaluated against. A deleted user, role or collection is undefined. */
export type ExampleContext = {
  readonly rules: AccessRules
  readonly holderOf: (who: ExampleWho) => Holder | undefined
  readonly collectionOf: (id: CollectionId) => AccessTarget | undefined
  /** Whether a condition describes the record of an example, as whom it is about reads it. */
  readonly coversOf: (example: Example) => ((where: Filter) => boolean) | undefined
}

/** `stale`: the example refers to something that was deleted. */
export type ExampleResult =
  | { readonly type: 'holds' | 'stale' }
  | { readonly type: 'broken'; readonly explanation: Explanation }

/** Whether an example holds. */
export function evaluateExample(example: Example, context: ExampleContext): ExampleResult {
  const { permission, field, record } = example
  const holder = context.holderOf(example.who)
  const collection = example.collection === null ? null : context.collectionOf(example.collection)
  const covers = record === null ? undefined : context.coversOf(example)
  const isStale =
    holder === undefined ||
    collection === undefined ||
    (record !== null && covers === undefined) ||
    (field !== null && collection?.fields.some(({ id }) => id === field) !== true)
  if (isStale) return { type: 'stale' }

  const explanation = explain(context.rules, holder, { permission, collection, field: field ?? undefined, covers })
  return (explanation.may !== 'no') === example.may ? { type: 'holds' } : { type: 'broken', explanation }
}

/** An example that does not hold, and the policy it was saved with. */
export type BrokenExample = {
  readonly policy: Policy
  readonly example: Example
  readonly explanation: Explanation
}

/** Every example that does not hold, of all policies. */
export function brokenExamples(context: ExampleContext): readonly BrokenExample[] {
  return [...context.rules.policies.values()].flatMap((policy) =>
    policy.examples.flatMap((example) => {
      const result = evaluateExample(example, context)
      return result.type === 'broken' ? [{ policy, example, explanation: result.explanation }] : []
    }),
  )
}
