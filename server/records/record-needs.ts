import type { Actor } from '#domain/access/actor.ts'
import type { WriteNeeds } from '#server/changes/commit-change.ts'
import type { IsIndexed, NoteAsked } from '#server/query/asked.ts'
import type { Shapes } from '#server/shapes/open-shapes.ts'

/** Where an actor can have a file: short-lived addresses signed for them, the small picture's only when it is a picture. */
export type FileAddress = (
  file: { readonly id: string; readonly width: number | null },
  actor: Actor,
) => {
  readonly url: string
  readonly thumbUrl: string | null
}

/** What the stories of records are handed. */
export type RecordNeeds = WriteNeeds & {
  readonly fileAddress: FileAddress
  /** What is known of lists without reading them again. */
  readonly shapes: Shapes
  /** Learns from queries which indexes are wanted. */
  readonly noteAsked?: NoteAsked
  /** Says which wanted indexes are there. */
  readonly isIndexed?: IsIndexed
}
