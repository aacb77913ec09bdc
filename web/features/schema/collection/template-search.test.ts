import { expect, test } from 'vitest'
import type { TemplateBody } from '#api/templates.ts'
import { templateMatches } from './template-search.ts'

const TEMPLATE: TemplateBody = {
  id: 'cases',
  label: 'Help desk',
  purpose: 'Requests and complaints.',
  alsoCalled: 'tickets, support',
  collections: [
    { label: 'Fälle', fields: [{ label: 'Due date', kind: 'date' }], states: [], rules: [], views: [], examples: 0 },
  ],
}

test.each(['', '  ', 'help', 'DESK help', 'ticket', 'complaint', 'falle', 'Fäl', 'due', 'support, due'])(
  'searching for “%s” finds the template',
  (search) => {
    expect(templateMatches(TEMPLATE, search)).toBe(true)
  },
)

test.each(['elp', 'help calendar', 'contract'])("searching for “%s” doesn't find the template", (search) => {
  expect(templateMatches(TEMPLATE, search)).toBe(false)
})
