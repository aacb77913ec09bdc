import { describe } from 'vitest'
import { inMemory } from './executors.ts'
import { describeExpectations } from './expectations.ts'
import { smallDataset } from './data/small-dataset.ts'

const onShelf = inMemory(smallDataset)

describe('in-memory queries return the expected result:', () => describeExpectations(() => onShelf))
