module oclite/clients

go 1.19
