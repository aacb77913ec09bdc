import type { FieldValue } from '#domain/fields/field.ts'
import { checkValue } from '#domain/fields/kinds.ts'
import { violatedLocally, type CompiledRule, compileRules } from '#domain/rules/rule-violations.ts'
import type { Rule } from '#domain/rules/rule.ts'
import { definitionOf } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { toWireValue } from '#web/shared/fields/client-value.ts'
import { type RuleViolation, comparedWith, type RuleCheck, fieldsNamedBy, type RuleChecker } from './rule-violations.ts'

type Values = { readonly [field: string]: unknown }

/**
 * Checks the rules that depend only on the record's own values. An edit that violates a rule isn't sent until it can be
 * saved together with its correction.
 */
export function createRuleChecker(collection: TypedCollection): RuleChecker {
  const { fields } = collection
  const nameOf = (id: string): string => fields.find((field) => field.id === id)?.name ?? id
  const world = {
    collection: { ...definitionOf(collection), rules: collection.rules ?? [] },
    collectionOf: () => undefined,
    now: new Date(),
    workspaceTimeZone: collection.timeZone,
  }
  const rules = compileRules(world).map((ready) => ({ ready, named: [...ready.fields].map(nameOf) }))

  return (base, edits) => {
    const broken = new Map<Rule, RuleViolation>()
    const withheld = new Set<string>()
    let breaches: readonly RuleViolation[] | undefined
    for (;;) {
      const values = { ...base, ...without(edits, withheld) }
      const touched = Object.keys(edits).filter((name) => !withheld.has(name))
      const requested = rules.filter(
        ({ ready, named }) => !broken.has(ready.rule) && named.some((name) => touched.includes(name)),
      )
      const found = isBrokenBy(
        requested.map(({ ready }) => ready),
        collection,
        values,
      )
      for (const rule of found) broken.set(rule, violationOf(rule, rules))
      // A violation caused only by an unsent edit isn't reported.
      breaches ??= [...broken.values()]
      if (found.length === 0) return { breaches, withheld: [...withheld] } satisfies RuleCheck
      const named = found.flatMap((rule) => broken.get(rule)?.fields ?? [])
      for (const name of named.filter((each) => Object.hasOwn(edits, each))) withheld.add(name)
    }
  }
}

const without = (values: Values, names: ReadonlySet<string>): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))

type Named = readonly { readonly ready: CompiledRule; readonly named: readonly string[] }[]

const violationOf = (rule: Rule, rules: Named): RuleViolation => ({
  path: rule.field ?? '',
  message: rule.message,
  fields: rules.find(({ ready }) => ready.rule === rule)?.named ?? fieldsNamedBy(rule),
  ...comparedWith(rule),
})

function isBrokenBy(rules: readonly CompiledRule[], { id, fields }: TypedCollection, values: Values): readonly Rule[] {
  const held = rules.flatMap(({ fields: named }) => [...named])
  const read = new Map<string, FieldValue>()
  for (const field of fields) {
    if (!held.includes(field.id)) continue
    const value = checkValue(field, toWireValue(field, values[field.name]) ?? null)
    if (value.ok) read.set(field.id, value.value)
  }
  // Skips rules that use invalid values, which are already reported at their fields.
  const ready = rules.filter(({ fields: named }) => [...named].every((field) => read.has(field)))
  const record = { id: '', collection: id, version: 1, createdAt: '', createdBy: null, updatedAt: '', updatedBy: null }
  return violatedLocally(ready, { ...record, values: Object.fromEntries(read) })
}
