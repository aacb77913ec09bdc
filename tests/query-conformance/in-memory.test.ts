import { describe } from 'vitest'
import { inMemory } from './executors.ts'
import { describeExpectations } from './expectations.ts'
import { shelf } from './shelf.ts'

const onShelf = inMemory(shelf)

describe('memory answers as the contract says:', () => describeExpectations(() => onShelf))
