import { describe, expect, test } from 'vitest'
import { similarNames } from '#web/pages/frame/similar-pages.tsx'

const place = (label: string, ...names: string[]) => ({ href: `/${label}`, label, names: [label, ...names] })
const near = (path: string, ...places: ReturnType<typeof place>[]) =>
  similarNames(path, places).map(({ label }) => label)

describe('page suggestions for a mistyped URL', () => {
  const [cases, tasks, people] = [place('Cases', 'cases'), place('Open tasks', 'tasks'), place('People', 'users')]

  test('include names with a similar spelling', () => {
    expect(near('/collections/taks', cases, tasks, people)).toEqual(['Open tasks'])
    expect(near('/collections/case/01m82', cases, tasks, people)).toEqual(['Cases'])
    expect(near('/settings/user', cases, tasks, people)).toEqual(['People'])
  })

  test('rank prefixes before similar spellings', () => {
    expect(near('/collections/tasks-2024', tasks, place('Tusks', 'tusks'))).toEqual(['Open tasks'])
    expect(near('/collections/tsaks', place('Tusks', 'tusks'), tasks)).toEqual([])
    expect(near('/collections/tusk', tasks, place('Tusks', 'tusks'))).toEqual(['Tusks'])
  })

  test('are empty if there are no candidates', () => {
    expect(near('/collections/zebra', cases, tasks, people)).toEqual([])
    expect(near('/a/b', cases, tasks, people)).toEqual([])
  })
})
