import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ImportPreview, startImport } from '#api/imports.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { type ImportPlan, startBody } from './plan/import-plan.ts'

export type PlannedImport = { readonly plan: ImportPlan; readonly preview: ImportPreview }

export function useStartImport(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ plan, preview }: PlannedImport) =>
      call(startImport, { params: { import: id }, body: startBody(plan, preview) }),
    onSuccess: (started) => queryClient.setQueryData(queryKeys.import(id), started),
  })
}
