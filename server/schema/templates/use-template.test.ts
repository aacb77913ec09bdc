import { expect, test } from 'vitest'
import { translateTemplate } from '#domain/collections/template.ts'
import { TEMPLATES, templatesIn } from './use-template.ts'
import german from './content/de.json' with { type: 'json' }

/** Words that are the same in both languages: names, addresses, units. */
const SAME_IN_BOTH =
  /^(?:.+@example\.com|[A-Z]+[-\d]+|Name|Status|Team|Normal|Organisation|Computer|Material|Web|Newsletter|Text|Laptop .*|CRM|Website|Partner|Budget|Phase|Board)$/

const PEOPLE =
  /^(?:Ines Moreau|Tariq Aziz|Lena Vogel|Noor Haddad|Piet Janssen|Sofia Rossi|Emil Novák|Kim Sato|Amara Okafor|Jonas Lind)$/

function textsOfTemplates(): Set<string> {
  const requested = new Set<string>()
  for (const template of TEMPLATES)
    translateTemplate(template, (text) => {
      requested.add(text)
      return text
    })
  return requested
}

test('templates are complete in German, and their catalog has no unused texts', () => {
  const requested = textsOfTemplates()
  const isSame = (text: string) => SAME_IN_BOTH.test(text) || PEOPLE.test(text)
  expect([...requested].filter((text) => !(text in german) && !isSame(text))).toEqual([])
  expect(Object.keys(german).filter((text) => !requested.has(text))).toEqual([])
})

test('statuses, options and views in the same list have distinct names in German', () => {
  for (const { collections } of templatesIn('de')) {
    for (const { fields, views } of collections) {
      const lists = [fields.map(({ label }) => label), views.map(({ name }) => name)]
      const choices = fields.map(({ options }) => (options?.choices ?? []).map(({ name }) => name))
      for (const names of [...lists, ...choices]) expect(new Set(names).size, names.join(', ')).toBe(names.length)
    }
  }
})
