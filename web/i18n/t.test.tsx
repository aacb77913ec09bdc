import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Say } from './say.tsx'
import { plural, t } from './t.ts'

test('a translation inserts values and formats numbers', () => {
  expect(t('Saved')).toBe('Saved')
  expect(t('First {shown} of {found}', { shown: 50, found: 12_345 })).toBe('First 50 of 12,345')
  expect(t('{name} is {name}', { name: '{shown} $&' })).toBe('{shown} $& is {shown} $&')
})

test('a translation uses the plural rules of the language', () => {
  const said = [0, 1, 2, 1200].map((n) => plural(n, '{n} record', '{n} records'))
  expect(said).toEqual(['0 records', '1 record', '2 records', '1,200 records'])
  expect(plural(2, 'One of {all}', '{n} of {all}', { all: 7 })).toBe('2 of 7')
})

test('a translation has one text per plural form', () => {
  const said = [1, 2].map((n) => plural(n, { one: '{n} Datensatz', other: '{n} Datensätze' }, '{n} records'))
  expect(said).toEqual(['1 Datensatz', '2 Datensätze'])
})

test('a translation renders markup anywhere in a sentence', () => {
  const said = (text: string) =>
    renderToStaticMarkup(
      <Say
        text={text}
        values={{ name: <i>Ada</i>, count: 1200 }}
        parts={{ code: (inner) => <code>{inner}</code>, b: (inner) => <b>{inner}</b> }}
      />,
    )
  expect(said('Open <code>the {count} links</code> of {name}.')).toBe(
    'Open <code>the 1,200 links</code> of <i>Ada</i>.',
  )
  expect(said('{name}: <b>a <code>b</code></b>')).toBe('<i>Ada</i>: <b>a <code>b</code></b>')
  expect(said('Nothing inside.')).toBe('Nothing inside.')
})
