import { expect, test } from 'vitest'
import { parseExpansions } from './expansion.ts'

const read = (text: string) => {
  const parsed = parseExpansions(text)
  return parsed.ok ? parsed.value : parsed.fault
}

test('fields to expand are separated by commas, with the fields of linked records in parentheses', () => {
  expect(read('')).toEqual([])
  expect(read(' owner , files,')).toEqual([
    { name: 'owner', fields: null },
    { name: 'files', fields: null },
  ])
  expect(read('routes(name, from(code)),owner')).toEqual([
    {
      name: 'routes',
      fields: [
        { name: 'name', fields: null },
        { name: 'from', fields: [{ name: 'code', fields: null }] },
      ],
    },
    { name: 'owner', fields: null },
  ])
})

test.each(['a(', 'a)', '(a)', 'a(b))', 'a(b)c', 'a b', 'a(b'])('%s isn’t a list of fields to expand', (text) => {
  expect(read(text)).toEqual(expect.any(String))
})

test('linked records are nested at most three levels deep', () => {
  expect(read('a(b(c(d)))')).toEqual([expect.objectContaining({ name: 'a' })])
  expect(read('a(b(c(d(e))))')).toBe('Linked records can be nested at most 3 levels deep.')
})
