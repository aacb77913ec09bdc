import type { FieldValue } from '#domain/fields/field.ts'
import { checkValue } from '#domain/fields/kinds.ts'
import { brokenLocally, type ReadyRule, readyRules } from '#domain/rules/broken-rules.ts'
import type { Rule } from '#domain/rules/rule.ts'
import { definitionOf } from '#web/fields/conditions/path-fields.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { wireValue } from '#web/fields/shown-value.ts'
import { type Breach, comparedWith, type Judged, namedBy, type RuleJudge } from './rule-breaches.ts'

type Values = { readonly [field: string]: unknown }

/**
 * Judges by those rules of a collection that the values of a record alone decide, as the server would. What an edit may
 * not do now waits: it is stored together with the one that makes it right.
 */
export function ruleJudge(collection: KnownCollection): RuleJudge {
  const { fields } = collection
  const nameOf = (id: string): string => fields.find((field) => field.id === id)?.name ?? id
  const world = {
    collection: { ...definitionOf(collection), rules: collection.rules ?? [] },
    collectionOf: () => undefined,
    now: new Date(),
    workspaceTimeZone: collection.timeZone ?? 'UTC',
  }
  const rules = readyRules(world).map((ready) => ({ ready, named: [...ready.named].map(nameOf) }))

  return (base, edits) => {
    const broken = new Map<Rule, Breach>()
    const withheld = new Set<string>()
    let breaches: readonly Breach[] | undefined
    for (;;) {
      const values = { ...base, ...without(edits, withheld) }
      const touched = Object.keys(edits).filter((name) => !withheld.has(name))
      const asked = rules.filter(
        ({ ready, named }) => !broken.has(ready.rule) && named.some((name) => touched.includes(name)),
      )
      const found = brokenBy(
        asked.map(({ ready }) => ready),
        collection,
        values,
      )
      for (const rule of found) broken.set(rule, breachOf(rule, rules))
      // What breaks only because something else waits is not wrong by itself: it waits as well, and nothing is said.
      breaches ??= [...broken.values()]
      if (found.length === 0) return { breaches, withheld: [...withheld] } satisfies Judged
      const named = found.flatMap((rule) => broken.get(rule)?.fields ?? [])
      for (const name of named.filter((each) => Object.hasOwn(edits, each))) withheld.add(name)
    }
  }
}

const without = (values: Values, names: ReadonlySet<string>): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))

type Named = readonly { readonly ready: ReadyRule; readonly named: readonly string[] }[]

const breachOf = (rule: Rule, rules: Named): Breach => ({
  path: rule.field ?? '',
  message: rule.message,
  fields: rules.find(({ ready }) => ready.rule === rule)?.named ?? namedBy(rule),
  ...comparedWith(rule),
})

function brokenBy(rules: readonly ReadyRule[], { id, fields }: KnownCollection, values: Values): readonly Rule[] {
  const held = rules.flatMap(({ named }) => [...named])
  const read = new Map<string, FieldValue>()
  for (const field of fields) {
    if (!held.includes(field.id)) continue
    const value = checkValue(field, wireValue(field, values[field.name]) ?? null)
    if (value.ok) read.set(field.id, value.value)
  }
  // A value that is none yet is told by its own field; rules wait until it is one.
  const ready = rules.filter(({ named }) => [...named].every((field) => read.has(field)))
  const record = { id: '', collection: id, version: 1, createdAt: '', createdBy: null, updatedAt: '', updatedBy: null }
  return brokenLocally(ready, { ...record, values: Object.fromEntries(read) })
}
