import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { peopleQuery } from '#web/shared/lookups/people-query.ts'
import type { CompletionContext } from './completion.ts'
import { comparesIn } from '#web/shared/conditions/comparable-fields.ts'
import { filterContext } from '#web/shared/conditions/filter-context.ts'
import { useConditionOptions } from '#web/shared/conditions/builder/condition-provider.ts'
import { type FindCollection, pathGroups } from '#web/shared/conditions/path-fields.ts'

const two = (number: number): string => String(number).padStart(2, '0')

/** The day it is where the reader is. */
function todayHere(): string {
  const now = new Date()
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** What a filter of a collection can name, for whoever writes it. */
export function useCompletionContext(collection: TypedCollection, findCollection: FindCollection): CompletionContext {
  const { data: people } = useQuery(peopleQuery)
  const { me, ownNotes, isOfGrant } = useConditionOptions()
  return useMemo(() => {
    const [own, ofEvery] = pathGroups(collection, findCollection)
    return {
      fields: [...(own?.fields ?? []), ...(ofEvery?.fields ?? [])],
      fieldsBehind: (path) => {
        const groups = path === '' ? [] : pathGroups(collection, findCollection, [path])
        const begins = `${path}.`
        const fields = groups.flatMap((group) => group.fields)
        return fields.filter(({ name }) => name.startsWith(begins) && !name.slice(begins.length).includes('.'))
      },
      people: people ?? [],
      me,
      ownNotes,
      isOfGrant,
      compares: comparesIn(filterContext(collection, findCollection, []), isOfGrant),
      today: todayHere(),
    }
  }, [collection, findCollection, people, me, ownNotes, isOfGrant])
}
