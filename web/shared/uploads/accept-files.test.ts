import { expect, test } from 'vitest'
import { acceptFiles } from './accept-files.ts'

const picked = (...names: string[]) =>
  names.map((name) => ({
    file: new File(['x'], name, { type: name.endsWith('.pdf') ? 'application/pdf' : '' }),
    path: '',
  }))
const namesOf = ({ taken }: ReturnType<typeof acceptFiles>) => taken.map(({ file }) => file.name)

test('files allowed by the field are accepted, and the others are reported', () => {
  const found = acceptFiles(picked('a.csv', 'b.pdf', 'c.csv'), { accept: ['.csv'] }, 10)
  expect(namesOf(found)).toEqual(['a.csv', 'c.csv'])
  expect(found.refusal).toContain('b.pdf')
})

test('the first files are accepted if there is not enough room for all', () => {
  const found = acceptFiles(picked('a', 'b', 'c', 'd'), { max: 5 }, 2)
  expect(namesOf(found)).toEqual(['a', 'b'])
  expect(found.refusal).toBe('This field allows up to 5 files. 2 files weren’t added. Remove some files first.')
  expect(acceptFiles(picked('a'), { max: 1 }, 0).refusal).toContain('one file')
})

test('a thousand rejected files are reported as three names and a count', () => {
  const { refusal } = acceptFiles(
    picked(...Array.from({ length: 1000 }, (_, at) => `${at}.pdf`)),
    { accept: ['.csv'] },
    9,
  )
  expect(refusal).toContain('“2.pdf”')
  expect(refusal).not.toContain('“3.pdf”')
  expect(refusal).toContain('997 more')
})
