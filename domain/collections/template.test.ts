import { expect, test } from 'vitest'
import { type Template, translateTemplate } from './template.ts'

const TASKS: Template = {
  id: 'tasks',
  label: 'Tasks',
  purpose: 'What is to do.',
  alsoCalled: 'to-dos',
  collections: [
    {
      name: 'tasks',
      label: 'Tasks',
      description: 'All steps.',
      titleField: 'whatToDo',
      fields: [
        { label: 'What to do', kind: 'text', description: 'One step.' },
        { label: 'Status', kind: 'state', options: { choices: [{ name: 'Open' }, { name: 'Done' }] }, default: 'Open' },
      ],
      transitions: [{ name: 'Finish', from: 'Open', to: 'Done', note: 'optional' }],
      states: { Done: { frozen: 'all' } },
      rules: [{ when: 'status = "Done"', then: 'whatToDo is not empty', message: 'Say what.', field: 'whatToDo' }],
      views: [{ name: 'Mine', filter: 'status in ("Open", "Done") && owner = @me', group: 'status' }],
      records: [{ whatToDo: 'Buy tea', status: 'Open', due: { inDays: 2 }, also: ['Open', 'x'] }],
    },
  ],
}

test('translates everything in a template except field names used in filters', () => {
  const [tasks] = translateTemplate(TASKS, (text) => text.toUpperCase()).collections
  expect(tasks).toMatchObject({
    name: 'tasks',
    label: 'TASKS',
    description: 'ALL STEPS.',
    titleField: 'whatToDo',
    fields: [
      { name: 'whatToDo', label: 'WHAT TO DO', description: 'ONE STEP.' },
      { name: 'status', label: 'STATUS', options: { choices: [{ name: 'OPEN' }, { name: 'DONE' }] }, default: 'OPEN' },
    ],
    transitions: [{ name: 'FINISH', from: 'OPEN', to: 'DONE', note: 'optional' }],
    states: { DONE: { frozen: 'all' } },
    rules: [{ when: 'status = "DONE"', then: 'whatToDo is not empty', message: 'SAY WHAT.', field: 'whatToDo' }],
    views: [{ name: 'MINE', filter: 'status in ("OPEN", "DONE") && owner = @me', group: 'status' }],
    records: [{ whatToDo: 'BUY TEA', status: 'OPEN', due: { inDays: 2 }, also: ['OPEN', 'X'] }],
  })
})
