import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { listTemplates, undoTemplate, useTemplate } from '#api/templates.ts'
import { call } from '#web/data/api/call.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { sessionConfig } from '#web/data/session/session-config.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { LANGUAGE } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'

/** The templates with what each would make; they change with the program alone. */
export const templatesQuery = queryOptions({
  queryKey: queryKeys.templates,
  queryFn: async ({ signal }) => (await call(listTemplates, { query: { language: LANGUAGE }, signal })).items,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Which template, and whether with its examples. */
export type TemplateRequest = { readonly id: string; readonly label: string; readonly withExamples: boolean }

/** Makes the collections of a template, opens what it is about, and offers the way back. */
export function useApplyTemplate(onDone: () => void) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.collections })

  const undo = useMutation({
    mutationFn: (collections: string[]) => call(undoTemplate, { body: { collections } }),
    onSuccess: async () => {
      await navigate({ to: sessionConfig.routes.home })
      await refresh()
    },
    onError: (error) => {
      const { title, detail } = describeError(error)
      notify.error(title, { detail })
    },
  })

  return useMutation({
    mutationFn: ({ id, withExamples }: TemplateRequest) =>
      call(useTemplate, { params: { template: id }, body: { withExamples, language: LANGUAGE } }),
    onSuccess: async ({ collections }, { label }) => {
      await refresh()
      onDone()
      notify.success(t('“{template}” added.', { template: label }), {
        action: { label: t('Undo'), run: () => undo.mutate(collections.map(({ id }) => id)) },
      })
      const about = collections.at(-1)
      if (about) await navigate({ to: '/collections/$collection', params: { collection: about.name } })
    },
  })
}
