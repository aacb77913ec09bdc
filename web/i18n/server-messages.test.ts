import { expect, test } from 'vitest'
import { serverTranslator, translator } from './server-messages.ts'

const inGerman = translator(
  {
    'Must be text.': 'Es muss Text sein.',
    'There is no field “{name}”.': 'Ein Feld „{name}“ gibt es nicht.',
    'There is no field “{name}” in {label}.': 'In {label} gibt es kein Feld „{name}“.',
    'Nothing was saved. {message}': 'Nichts wurde gespeichert. {message}',
    '{who} ({to})': '{to}: {who}',
    '“{value}”': '„{value}“',
    '{label} can’t be unique yet: {twice} occurs in more than one record.': '{twice} steht in {label} mehrfach.',
    'The workflow of {labels} names the role {name}.': 'Der Ablauf von {labels} nennt die Rolle {name}.',
    'Examples of {names} are about the role {name}.': 'Beispiele von {names} handeln von der Rolle {name}.',
  },
  new Map([
    ['Editor', 'Bearbeiter'],
    ['View all records', 'Alle Datensätze sehen'],
  ]),
)

test('server messages are translated by pattern with their values', () => {
  expect(inGerman('Must be text.')).toBe('Es muss Text sein.')
  expect(inGerman('There is no field “a $& b”.')).toBe('Ein Feld „a $& b“ gibt es nicht.')
  expect(inGerman('There is no field “size” in Orders.')).toBe('In Orders gibt es kein Feld „size“.')
})

test('a reason within a server message is translated', () => {
  expect(inGerman('Nothing was saved. It must be text.')).toBe('Nichts wurde gespeichert. It must be text.')
})

test('translated messages use the quotation marks of the language', () => {
  expect(inGerman('Code can’t be unique yet: “a”, “b” occurs in more than one record.')).toBe(
    '„a“, „b“ steht in Code mehrfach.',
  )
})

test('built-in role and policy names are translated, but no other names', () => {
  expect(inGerman('The workflow of Editor names the role Editor.')).toBe(
    'Der Ablauf von Editor nennt die Rolle Bearbeiter.',
  )
  expect(inGerman('Examples of See all records, My own are about the role Boss.')).toBe(
    'Beispiele von See all records, My own handeln von der Rolle Boss.',
  )
})

test('unknown messages and user content are not translated', () => {
  for (const text of ['', 'A rule of our own.', 'Ada (ada@example.org)', 'It must be text']) {
    expect(inGerman(text)).toBe(text)
  }
})

test('server messages are shown unchanged in English', async () => {
  expect((await serverTranslator())('Must be text.')).toBe('Must be text.')
})
