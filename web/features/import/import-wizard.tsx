import { Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CollectionBody } from '#api/collections.ts'
import type { ImportBody, ImportPreview } from '#api/imports.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { ChooseFile } from './choose-file.tsx'
import { ImportCancelled, ImportDone, ImportFailed } from './import-result.tsx'
import { type ImportPlan, planForNew, planInto } from './plan/import-plan.ts'
import { importQuery } from './import-query.ts'
import { ImportProgress } from './import-progress.tsx'
import { PlanForm } from './plan/plan-form.tsx'
import { type PlannedImport, useStartImport } from './use-start-import.ts'

type ImportWizardProps = {
  /** The import that is on screen, kept in the address so that a reload finds it; undefined before there is one. */
  readonly id: string | undefined
  readonly onId: (id: string | undefined) => void
  /** The collection somebody came from, by name. */
  readonly into: string | undefined
}

/** From a file to records: look at it, say what goes where, watch it, be told what came of it. */
export function ImportWizard({ id, onId, into }: ImportWizardProps) {
  const queryClient = useQueryClient()
  if (id === undefined) {
    return (
      <ChooseFile
        onLooked={(looked) => {
          queryClient.setQueryData(queryKeys.import(looked.id), looked)
          onId(looked.id)
        }}
      />
    )
  }
  return <OneImport key={id} id={id} into={into} onAgain={() => onId(undefined)} />
}

type OneImportProps = {
  readonly id: string
  readonly into: string | undefined
  readonly onAgain: () => void
}

function OneImport({ id, into, onAgain }: OneImportProps) {
  const { data: found, error, refetch } = useQuery(importQuery(id))
  useRefetchAfterImport(found)
  if (!found && error) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (!found) return <Skeleton height={180} radius="md" />
  return <ImportStep found={found} into={into} onAgain={onAgain} />
}

/** Once an import has ended, collections and records are read anew. */
function useRefetchAfterImport(found: ImportBody | undefined) {
  const queryClient = useQueryClient()
  const isDone = found?.state === 'done'
  useEffect(() => {
    if (!isDone) return
    void queryClient.invalidateQueries({ queryKey: queryKeys.collections })
    void queryClient.invalidateQueries({ queryKey: ['records'] })
  }, [isDone, queryClient])
}

type ImportStepProps = Omit<OneImportProps, 'id'> & { readonly found: ImportBody }

/** The step an import is at is the server's to say; what shall become of it is chosen here. */
function ImportStep({ found, into, onAgain }: ImportStepProps) {
  const { data: collections, isPending } = useQuery(collectionsQuery)
  const [chosen, setChosen] = useState<ImportPlan>()
  const [isChanging, setIsChanging] = useState(false)
  const { preview, state } = found

  if (state === 'running') return <ImportProgress running={found} />
  if (state === 'done') return <ImportDone ended={found} onAgain={onAgain} />
  if (state === 'cancelled') return <ImportCancelled ended={found} onAgain={onAgain} />
  if (!preview || isPending) return <Skeleton height={180} radius="md" />

  const target = collections?.find(({ name }) => name === into)
  const plan = chosen ?? firstPlan(preview, found.fileName, target)
  if (state === 'failed' && !isChanging) {
    const change = () => setIsChanging(true)
    return <FailedImport found={found} planned={{ plan, preview }} onAgain={onAgain} onChangePlan={change} />
  }
  return <PlanForm looked={found} preview={preview} plan={plan} onPlan={setChosen} onGivenUp={onAgain} />
}

function firstPlan(preview: ImportPreview, fileName: string, target: CollectionBody | undefined): ImportPlan {
  const fresh = planForNew(preview, fileName)
  return target ? planInto(fresh, preview, target) : fresh
}

type FailedImportProps = {
  readonly found: ImportBody
  readonly planned: PlannedImport
  readonly onAgain: () => void
  readonly onChangePlan: () => void
}

function FailedImport({ found, planned, onAgain, onChangePlan }: FailedImportProps) {
  const start = useStartImport(found.id)
  const skipBadRows = () => start.mutate({ ...planned, plan: { ...planned.plan, skipsBadRows: true } })
  return (
    <>
      {start.error && <FailureNotice error={start.error} />}
      <ImportFailed ended={found} onAgain={onAgain} onChangePlan={onChangePlan} onSkipBadRows={skipBadRows} />
    </>
  )
}
